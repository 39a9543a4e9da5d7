import { describe, expect } from 'vitest';
import type { RecordedEvent } from '../../../src/live/recorded-event.ts';
import type { Client } from '../../../src/sandbox/client.ts';
import { describeFinished } from '../../../src/sandbox/process.ts';
import { play, testWith } from '../scene.ts';

const UNTOLD = [undefined, undefined, undefined];

/** What is recorded of an undisturbed turn. */
export function observes(client: Client): void {
  const it = testWith(client);
  const itResumes = testWith(client, client.resumes !== false);
  const expected: ReadonlySet<string> = new Set(client.turnEvents);
  const outcome = (known: string) => (client.tellsOutcome === false ? 'unknown' : known);

  describe(`${client.id} is observed`, () => {
    it('through a whole turn, in order and numbered', async () => {
      const script = [[client.shell('echo one > one.txt')], 'All done.'];
      // The default packs make no decision here.
      await play(client, { script, packs: 'default' }, async ({ turn, hookline }) => {
        const finished = await turn('Make a file.', { trustShell: true });
        expect(finished.code, describeFinished(finished)).toBe(0);

        const events = await hookline.events();
        const main = inOrder(
          client,
          events.filter((event) => expected.has(event.type)),
        );
        expect(main.map((event) => event.type)).toEqual(client.turnEvents);
        expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index + 1));
        expect(new Set(events.map((event) => event.sessionId)).size).toBe(1);
        expect(new Set(events.map((event) => event.source))).toEqual(new Set([client.id]));
        expect(events.filter((event) => event.response.decision !== 'none')).toEqual([]);

        const [before, after] = main.filter((event) => event.tool);
        expect(before?.tool).toMatchObject({ name: 'Bash', input: { command: 'echo one > one.txt' } });
        const useId = before?.tool?.useId;
        expect(after?.tool).toMatchObject({ name: 'Bash', useId, outcome: outcome('ok') });
        const numbers = main.map((event) => [event.type, promptNumber(client, event), event.toolNumber]);
        const beforePrompt = client.turnEvents.indexOf('before_agent');
        const beforeTool = client.turnEvents.indexOf('before_tool');
        expect(numbers).toEqual(
          client.turnEvents.map((type, at) => [type, at < beforePrompt ? 0 : 1, at < beforeTool ? 0 : 1]),
        );
      });
    });

    itResumes('over several calls and prompts of one session', async () => {
      const script = [
        [{ text: 'Two at once.' }, client.shell('echo one'), client.shell('exit 3')],
        'First turn done.',
        [client.shell('echo three')],
        'Second turn done.',
      ];
      await play(client, { script }, async ({ turn, hookline }) => {
        await turn('First.', { trustShell: true });
        await turn('Second.', { trustShell: true, resume: true });

        const events = await hookline.events();
        expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index + 1));
        const prompts = events.filter((event) => event.type === 'before_agent');
        expect(prompts.map((event) => event.promptNumber)).toEqual([1, 2]);
        const numberOf = (type: string, command: string) => {
          const event = events.find((each) => each.type === type && each.tool?.input.command === command);
          return [event?.promptNumber, event?.toolNumber, event?.tool?.outcome];
        };
        // The two at once may come in either order; each has one number, and its end has the number of its beginning.
        const first = ['echo one', 'exit 3'].map((command) => numberOf('before_tool', command)[1]);
        expect([...first].sort()).toEqual([1, 2]);
        expect(numberOf('after_tool', 'echo one')).toEqual([1, first[0], outcome('ok')]);
        expect(numberOf('after_tool', 'exit 3')).toEqual(
          client.tellsFailure === false ? UNTOLD : [1, first[1], outcome('failed')],
        );
        expect(numberOf('after_tool', 'echo three')).toEqual([2, 3, outcome('ok')]);
      });
    });
  });
}

/** With the session before its prompt, also where the two came side by side, and one end of it. */
function inOrder(
  { startsTogether, endsTwice }: Client,
  events: readonly RecordedEvent[],
): readonly RecordedEvent[] {
  const isStart = ({ type }: RecordedEvent) => type === 'session_start';
  const end = events.findIndex(({ type }) => type === 'session_end');
  const told = endsTwice ? events.filter(({ type }, at) => type !== 'session_end' || at === end) : events;
  return startsTogether ? [...told.filter(isStart), ...told.filter((event) => !isStart(event))] : told;
}

function promptNumber({ startsTogether }: Client, { type, promptNumber: given }: RecordedEvent): number {
  return startsTogether && type === 'session_start' ? 0 : given;
}
