import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { AGENTS } from '../../../src/agents/_registry.ts';
import type { Scene } from '../../../src/live/scene.ts';
import type { Client } from '../../../src/sandbox/client.ts';
import { pendingApprovals } from '../pending.ts';
import { play, testWith } from '../scene.ts';

const BIN = fileURLToPath(new URL('../../../bin/hookline.js', import.meta.url));

const ASK_TOUCH = 'rules: [{id: ask-touch, command: touch, ask: A person has to look at this.}]\n';
const SPELLINGS = [
  'hookline approve 3fa9c210 --scope always </dev/null',
  `node ${BIN} approve 3fa9c210 --scope always </dev/null`,
];

/** A call in another session that waits for an answer: of this agent, if it waits for a person at all. */
function waitingCall(client: Client, { sandbox }: Scene): Promise<unknown> {
  const request = {
    id: 'other-session',
    tool: 'Bash',
    input: { command: 'touch wanted.txt' },
    cwd: sandbox.project,
  };
  const own = AGENTS.get(client.id);
  const waiting = [...(own ? [own] : []), ...AGENTS.values()].find((agent) => {
    const call = { id: 'c', receivedAt: 1, event: null, payload: agent.toolPayload(request), env: {} };
    return agent.timeoutMs(agent.decode(call)) > 60_000;
  });
  const forwarder = join(sandbox.hooklineHome, 'bin', 'hookline-forward');
  const input = JSON.stringify(waiting?.toolPayload(request));
  return sandbox.run(forwarder, [waiting?.id ?? ''], { input, deadlineMs: 100_000 });
}

/** An agent that answers for the user, by every way its shell has. */
export function approvesItself(client: Client): void {
  const label = AGENTS.get(client.id)?.label ?? '';

  describe(`${client.id} approves its own call`, () => {
    testWith(client)('is denied, recorded and shown in the feed', async () => {
      // A script hides the line from the rules, so that only the daemon can tell who asks.
      const script = [...SPELLINGS, 'sh attack.sh'].map((line) => [client.shell(line)]);
      const prepare: NonNullable<Parameters<typeof play>[1]['prepare']> = ({ hooklineHome }) =>
        writeFile(join(hooklineHome, 'config.yaml'), 'approvals: {hold: always}\nhttp: {port: 0}\n');
      const packs = ['self-protection'];
      const plan = { rules: ASK_TOUCH, script: [...script, 'Then not.'], prepare, packs };
      await play(client, plan, async (scene) => {
        const { sandbox, hookline, model, turn } = scene;
        const call = waitingCall(client, scene);
        const [{ id } = { id: '' }] = await pendingApprovals(sandbox, 1);
        const attack = `"${process.execPath}" "${BIN}" approve ${id} --scope always </dev/null 2>&1\n`;
        await writeFile(join(sandbox.project, 'attack.sh'), attack);
        await turn('Make a file.', { trustShell: true });

        for (const step of [1, 2])
          expect(model.results(step)).toEqual([expect.stringContaining('Only the user can')]);
        expect(model.results(3)).toEqual([
          expect.stringContaining(`Only a person can answer approvals. ${label} started this command`),
        ]);
        expect(await pendingApprovals(sandbox, 1)).toMatchObject([{ id }]);
        expect(existsSync(join(sandbox.hooklineHome, 'grants.json'))).toBe(false);

        const events = await hookline.events();
        const denied = events.filter(
          ({ type, response }) => type === 'before_tool' && response.decision === 'deny',
        );
        expect(denied.map(({ rules }) => rules)).toEqual(SPELLINGS.map(() => ['self-protection/commands']));
        expect(events.filter(({ source }) => source === 'hookline')).toMatchObject([
          {
            response: { decision: 'deny', reason: expect.stringContaining(`${label} started this command`) },
          },
        ]);
        const feed = await hookline.run(['events']);
        // The row ends with its width, and some agents have longer names.
        expect(feed.stdout).toMatch(new RegExp(`Refused attempt: ${client.id} tri`));

        await hookline.run(['deny', id]);
        await call;
      });
    });
  });
}
