import { expect, test } from 'vitest';
import { type Agent, type Encoded, type Support, supportOf } from '../../../src/agents/agent.ts';
import type { HookEvent } from '../../../src/model/events.ts';
import { EFFECTS, type Effect, effectsOf, type HookResponse } from '../../../src/model/responses.ts';
import { CANONICAL_RESPONSES } from './canonical-responses.ts';

type Encode = (event: HookEvent, response: HookResponse) => Encoded;

/** One response on one event: was the effect recorded as degraded, and does the answer differ without it? */
interface Trial {
  readonly recorded: number;
  readonly delivered: boolean;
}

/** Compares the table of what is supported with what `encode` really does, in both directions. */
export function testSupports(agent: Agent, events: readonly HookEvent[], encode: Encode): void {
  const cells = [...new Set(events.map(({ type }) => type))].flatMap((type) =>
    EFFECTS.map((effect) => ({ type, effect, support: supportOf(agent, type, effect) })),
  );

  test.each(cells)('$type: $effect is $support.level', ({ type, effect, support }) => {
    const trials = events
      .filter((event) => event.type === type)
      .flatMap((event) => trialsOf(event, effect, encode));
    expect(trials).not.toEqual([]);
    expect(trials.filter(({ recorded }) => recorded > 1)).toEqual([]);
    expectSupport(support, trials);
  });
}

function trialsOf(event: HookEvent, effect: Effect, encode: Encode): readonly Trial[] {
  return Object.values(CANONICAL_RESPONSES)
    .filter((response) => effectsOf(response).includes(effect))
    .map((response) => {
      const encoded = encode(event, response);
      const degraded = encoded.degraded.filter((one) => one.effect === effect);
      for (const { reason } of degraded) expect(reason).not.toBe('');
      const without = encode(event, withoutEffect(response, effect));
      return { recorded: degraded.length, delivered: answersDiffer(encoded, without) };
    });
}

function expectSupport({ level, note }: Support, trials: readonly Trial[]): void {
  if (level === 'native') {
    expect(trials).toContainEqual({ recorded: 0, delivered: true });
    // Nothing is dropped silently: what was not delivered is on record.
    expect(trials.filter(({ recorded, delivered }) => recorded === 0 && !delivered)).toEqual([]);
    return;
  }
  expect(note ?? '').not.toBe('');
  if (level === 'none') {
    expect(trials.filter(({ recorded, delivered }) => recorded !== 1 || delivered)).toEqual([]);
  }
}

function withoutEffect(response: HookResponse, effect: Effect): HookResponse {
  if (effect === response.decision) {
    const { reason: _, ...rest } = response;
    return { ...rest, decision: 'none' };
  }
  const key = effect === 'rewrite' ? 'modifyArgs' : effect;
  const rest = Object.entries(response).filter(([name]) => name !== key);
  return { ...Object.fromEntries(rest), decision: response.decision };
}

function answersDiffer(a: Encoded, b: Encoded): boolean {
  return JSON.stringify([a.answer, a.appends]) !== JSON.stringify([b.answer, b.appends]);
}
