import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { HookEvent } from '../model/events.ts';
import { EFFECTS, type Effect, effectsOf, type HookResponse } from '../model/responses.ts';
import {
  type Agent,
  type Encoded,
  type NativeAnswer,
  type NativeCall,
  PASSTHROUGH,
  supportOf,
} from './agent.ts';
import { CANONICAL_RESPONSES } from './canonical-responses.ts';
import { testAgentWithAnything } from './testing-properties.ts';

export interface TestAgentOptions {
  /** Folder of `<native event>/<case>/in.json`; what is made of it is kept beside it. */
  readonly fixtures: URL | string;
  /** Variables that the agent sets for hooks, as in a real call. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the agent takes for no opinion, where that is not an empty stdout. */
  readonly silence?: (event: HookEvent) => NativeAnswer;
}

/** One captured payload and the event it becomes. */
export interface Fixture {
  readonly name: string;
  readonly folder: string;
  readonly call: NativeCall;
}

const meta = v.looseObject({
  clientVersion: v.string(),
  capturedAt: v.pipe(v.string(), v.isoDate()),
  source: v.pipe(v.string(), v.minLength(1)),
  /** Cases that come from somewhere else. */
  exceptions: v.optional(v.record(v.string(), v.string()), {}),
});

/** The contract that every agent fulfils. Call it in the agent's own test file. */
export function testAgent(agent: Agent, options: TestAgentOptions): void {
  const folder = options.fixtures instanceof URL ? fileURLToPath(options.fixtures) : options.fixtures;
  const env = options.env ?? {};
  const silence = options.silence ?? (() => PASSTHROUGH);
  const fixtures = readFixtures(folder, env);
  const encode = (event: HookEvent, response: HookResponse) => agent.encode(event, response, env);

  describe(`${agent.id}: the contract of agents`, () => {
    test('says where its fixtures come from', () => {
      const { clientVersion, exceptions } = v.parse(meta, readJson(join(folder, 'meta.json')));
      expect(clientVersion).toBe(agent.testedVersion);
      const names = fixtures.map(({ name }) => name);
      expect(Object.keys(exceptions).filter((name) => !names.includes(name))).toEqual([]);
    });

    test('has a fixture for every event type in its table, and no other', () => {
      const types = new Set(fixtures.map(({ call }) => agent.decode(call).type));
      expect([...types].sort()).toEqual(Object.keys(agent.supports).sort());
    });

    describe.each(fixtures)('$name', ({ call, folder: place }) => {
      test('decodes as recorded', async () => {
        const { native, ...event } = agent.decode(call);
        expect(native).toBe(call.payload);
        await expect(json(event)).toMatchFileSnapshot(join(place, 'event.json'));
      });

      test('is answered as recorded', async () => {
        const event = agent.decode(call);
        const answers = Object.entries(CANONICAL_RESPONSES).map(([name, response]) => [
          name,
          brief(encode(event, response)),
        ]);
        await expect(json(Object.fromEntries(answers))).toMatchFileSnapshot(join(place, 'answers.json'));
      });

      test('is met with silence when there is no opinion', () => {
        const event = agent.decode(call);
        expect(encode(event, { decision: 'none' })).toEqual({
          answer: silence(event),
          degraded: [],
          appends: [],
        });
      });

      test('keeps keys it does not know', () => {
        const payload = { ...Object(call.payload), not_yet_invented: { deep: [1, { er: true }] } };
        expect(agent.decode({ ...call, payload }).native).toBe(payload);
      });
    });

    testSupports(agent, fixtures, encode);
    testAgentWithAnything(agent, fixtures, env);
  });
}

/** The table of what is supported against what `encode` really does, in both directions. */
function testSupports(
  agent: Agent,
  fixtures: readonly Fixture[],
  encode: (event: HookEvent, response: HookResponse) => Encoded,
): void {
  const events = fixtures.map(({ call }) => agent.decode(call));
  const cells = [...new Set(events.map(({ type }) => type))].flatMap((type) =>
    EFFECTS.map((effect) => ({ type, effect, support: supportOf(agent, type, effect) })),
  );

  test.each(cells)('$type: $effect is $support.level', ({ type, effect, support }) => {
    const trials = events
      .filter((event) => event.type === type)
      .flatMap((event) =>
        Object.values(CANONICAL_RESPONSES)
          .filter((response) => effectsOf(response).includes(effect))
          .map((response) => {
            const encoded = encode(event, response);
            const degraded = encoded.degraded.filter((one) => one.effect === effect);
            for (const { reason } of degraded) expect(reason).not.toBe('');
            const without = encode(event, withoutEffect(response, effect));
            return { recorded: degraded.length, heard: saidDifferently(encoded, without) };
          }),
      );
    expect(trials).not.toEqual([]);
    expect(trials.filter(({ recorded }) => recorded > 1)).toEqual([]);
    if (support.level === 'native') {
      expect(trials).toContainEqual({ recorded: 0, heard: true });
      // Nothing is dropped in silence: where it was not heard, it is on record.
      expect(trials.filter(({ recorded, heard }) => recorded === 0 && !heard)).toEqual([]);
      return;
    }
    expect(support.note ?? '').not.toBe('');
    if (support.level === 'none') {
      expect(trials.filter(({ recorded, heard }) => recorded !== 1 || heard)).toEqual([]);
    }
  });
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

function saidDifferently(a: Encoded, b: Encoded): boolean {
  return json([a.answer, a.appends]) !== json([b.answer, b.appends]);
}

/** For golden files: reasons are left to the table they come from, so that a better wording changes one file. */
function brief({ answer, degraded, appends }: Encoded): Record<string, unknown> {
  return {
    answer,
    ...(degraded.length > 0 && { degraded: degraded.map(({ effect }) => effect) }),
    ...(appends.length > 0 && { appends }),
  };
}

function readFixtures(folder: string, env: Readonly<Record<string, string>>): Fixture[] {
  return foldersIn(folder).flatMap((event) =>
    foldersIn(join(folder, event))
      .filter((name) => existsSync(join(folder, event, name, 'in.json')))
      .map((name) => ({
        name: `${event}/${name}`,
        folder: join(folder, event, name),
        call: {
          id: `${event}/${name}`,
          receivedAt: 1_763_164_800_000,
          event: null,
          payload: readJson(join(folder, event, name, 'in.json')),
          env,
        },
      })),
  );
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
