import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterTool, beforeTool, call, prompt } from '../../../test/support/store/store.ts';
import type { HookEvent } from '../../model/events.ts';
import { openDatabase } from '../database/driver.ts';
import { migrate } from '../database/migrate.ts';
import { listEvents, listSessions } from '../read/queries.ts';
import { createRecorder } from './recorder.ts';

type Step =
  | { readonly do: 'restart' }
  | { readonly do: 'repeat'; readonly which: number }
  | {
      readonly do: 'event';
      readonly session: string;
      readonly kind: 'prompt' | 'before' | 'after';
      readonly use: string;
    };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat' as const), which: fc.nat(50) }) },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('event' as const),
        session: fc.constantFrom('a', 'b', 'c'),
        kind: fc.constantFrom('prompt' as const, 'before' as const, 'after' as const),
        use: fc.constantFrom('u1', 'u2', 'u3'),
      }),
    },
  ),
  { maxLength: 60 },
);

/** The numbers, counted in the simplest way. */
class Expected {
  sequence = 0;
  prompt = 0;
  tool = 0;
  readonly uses = new Map<string, number>();

  next(kind: string, use: string): readonly number[] {
    this.sequence += 1;
    if (kind === 'prompt') this.prompt += 1;
    if (kind === 'before') this.uses.set(use, ++this.tool);
    if (kind === 'after' && !this.uses.has(use)) this.uses.set(use, ++this.tool);
    const tool = kind === 'after' ? (this.uses.get(use) ?? 0) : this.tool;
    return [this.sequence, this.prompt, tool];
  }
}

test('numbers have no gaps and no duplicates across repeats and restarts', () => {
  fc.assert(
    fc.property(steps, (plan) => {
      const db = openDatabase(':memory:');
      migrate(db);
      const open = () => createRecorder(db, { redact: (text) => text });
      let recorder = open();
      const sessions = new Map<string, Expected>();
      const stored: { readonly event: HookEvent; readonly numbers: readonly number[] }[] = [];
      for (const step of plan) {
        if (step.do === 'restart') {
          recorder = open();
        } else if (step.do === 'repeat') {
          const known = stored[step.which];
          if (known === undefined) continue;
          expect(recorder.commit(call(recorder.place(known.event)))).toBe(false);
        } else {
          const event = eventOf(step.kind, step.use, step.session);
          const session = sessions.get(step.session) ?? new Expected();
          sessions.set(step.session, session);
          expect(recorder.commit(call(recorder.place(event)))).toBe(true);
          stored.push({ event, numbers: session.next(step.kind, step.use) });
        }
      }
      expect(listEvents(db).map((e) => [e.id, e.sequence, e.promptNumber, e.toolNumber])).toEqual(
        stored.map(({ event, numbers }) => [event.id, ...numbers]),
      );
      for (const { sessionId, sequence, promptNumber, toolNumber } of listSessions(db)) {
        const { sequence: events, prompt: prompts, tool: tools } = sessions.get(sessionId) ?? new Expected();
        expect([sequence, promptNumber, toolNumber]).toEqual([events, prompts, tools]);
      }
      db.close();
    }),
    { numRuns: 150 },
  );
});

test('parallel events of a session get distinct numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5), fc.boolean()), { maxLength: 40 }), (moves) => {
      const db = openDatabase(':memory:');
      migrate(db);
      const recorder = createRecorder(db, { redact: (text) => text });
      const open: HookEvent[] = [];
      for (const [which, commits] of moves) {
        const [event] = commits ? open.splice(which, 1) : [];
        if (event === undefined) open.push(recorder.place(prompt()));
        else recorder.commit(call(event));
      }
      for (const event of open) recorder.commit(call(event));
      const sequences = listEvents(db).map(({ sequence }) => sequence);
      expect(sequences.toSorted((a, b) => a - b)).toEqual(sequences.map((_, i) => i + 1));
      db.close();
    }),
    { numRuns: 100 },
  );
});

function eventOf(kind: 'prompt' | 'before' | 'after', use: string, session: string): HookEvent {
  if (kind === 'prompt') return prompt(session);
  return kind === 'before' ? beforeTool('ls', use, session) : afterTool('ls', use, session);
}
