import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DialectOwner, dialectOwners, recorded } from '../../../test/support/agents/dialects.ts';
import { type HookEvent, isToolEvent } from '../../model/events.ts';
import type { Agent } from '../agent.ts';
import { commonCalls, type Presented } from './dialect.ts';

function presentedTo(owner: DialectOwner, agent: Agent, event: HookEvent): readonly Presented[] {
  const foreign = agent.id !== owner.id && isToolEvent(event);
  const calls = foreign ? commonCalls(agent, event.tool) : [null];
  return calls.flatMap((call) => owner.dialect.present(event, call) ?? []);
}

describe.each(dialectOwners.map((agent) => [agent.id, agent] as const))('the dialect of %s', (_, owner) => {
  test('shows its own events unchanged', () => {
    const own = recorded.filter(({ agent }) => agent === owner);
    expect(own.length).toBeGreaterThan(10);
    for (const { event, name } of own)
      expect(
        presentedTo(owner, owner, event).map(({ payload }) => payload),
        name,
      ).toEqual([event.native]);
  });

  test('shows events of this agent to hooks of other agents', () => {
    const foreign = recorded.filter(({ agent }) => agent !== owner);
    let shown = 0;
    for (const { agent, event, name } of foreign) {
      for (const presented of presentedTo(owner, agent, event)) {
        shown += 1;
        expect(owner.dialect.events, name).toContain(presented.event);
        const payload = JSON.parse(JSON.stringify(presented.payload));
        const again = owner.decode({
          id: 'c',
          receivedAt: 1,
          event: presented.event,
          payload,
          env: {},
        });
        expect(again.sessionId).toBe(event.sessionId);
        if (isToolEvent(event) && isToolEvent(again) && event.tool.kind === 'shell') {
          expect(again.tool.name, name).toBe('Bash');
          expect(again.tool.command ?? '', name).toBe(event.tool.command ?? '');
        }
      }
    }
    expect(shown).toBeGreaterThan(20);
  });

  test('parses any hook output, and never allows what no hook allowed', () => {
    const event = recorded.find(({ event }) => event.type === 'before_tool')?.event;
    const agent = recorded.find(({ event }) => event.type === 'before_tool')?.agent;
    if (!event || !agent) throw new Error('no event');
    const [presented] = presentedTo(owner, agent, event);
    if (!presented) throw new Error('not shown');
    const output = fc.oneof(
      fc.string(),
      fc.json(),
      fc.object().map((value) => JSON.stringify(value)),
    );
    const exit = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(exit, output, output, fc.boolean(), (exit, stdout, stderr, timedOut) => {
        const { response } = owner.dialect.interpret(event, presented, { exit, stdout, stderr, timedOut });
        expect(response.decision === 'allow').toBe(false);
        if (timedOut) expect(response).toEqual({ decision: 'none' });
      }),
    );
  });
});
