import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Agent } from '../../agents/agent.ts';
import type { HookEvent } from '../../model/events.ts';
import { forwarderPath } from '../../wire/forwarder-settings.ts';
import type { Check } from '../check.ts';
import { expectThat } from '../expect.ts';
import { expectOneResult } from './denials.ts';

// A daemon that restarts by itself would hide the case.
const env = { HOOKLINE_NO_AUTOSTART: '1' };

const GUARDED = 'touch forbidden.txt';
const DENIAL = 'Files are made by hand here.';

/** The daemon is lost in the middle of a turn: killed, or frozen. */
export function daemonLost(signal: 'KILL' | 'STOP'): Check {
  // Uses a script, because one client rejects command substitution and another a kill without a number.
  const script = 'lose-daemon.sh';
  return {
    name: 'daemon gone',
    promise: 'a denied command does not run when the daemon is down',
    applies: () => true,
    rules: [{ command: GUARDED, deny: DENIAL }],
    env,
    trustShell: true,
    calls: (client) => [[client.shell(`sh ${script}`)], [client.shell(GUARDED)]],
    async before({ hookline, sandbox }) {
      const pid = await hookline.daemonPid();
      if (pid === null) throw new Error('the daemon is not running');
      await writeFile(join(sandbox.project, script), `kill -${signal} ${pid}\n`);
    },
    judge: ({ has, results }) => [
      ...expectThat(!has('forbidden.txt'), 'the command does not run', 'it ran'),
      ...expectOneResult(results(2), DENIAL),
    ],
  };
}

const UNJUDGED = 'touch unjudged.txt';

export const forwarderGone: Check = {
  name: 'forwarder gone',
  promise: "with `failure: closed`, a command does not run when Hookline can't be reached",
  applies: () => true,
  rules: [],
  config: { failure: 'closed' },
  env,
  trustShell: true,
  calls: (client) => [[client.shell('sh lose-forwarder.sh')], [client.shell(UNJUDGED)]],
  async before({ hookline, sandbox }) {
    const pid = await hookline.daemonPid();
    const folder = dirname(forwarderPath(sandbox.hooklineHome));
    const lines = [`rm -r '${folder}'`, `kill -KILL ${pid}`, 'exit 0', ''];
    await writeFile(join(sandbox.project, 'lose-forwarder.sh'), lines.join('\n'));
  },
  judge: ({ has, results }) =>
    expectThat(!has('unjudged.txt'), 'the command does not run', `it ran: ${results(2).join(' | ')}`),
};

const LATE_MS = 3_000;
const LATE = 'touch late.txt';
const LATE_DENIAL = 'That took a while to decide.';
const LATE_HOOK = `import { setTimeout as pause } from 'node:timers/promises';
import { defineHook, deny } from 'hookline';
export default defineHook({
  on: 'before_tool',
  timeoutMs: 60_000,
  async run({ tool }) {
    if (tool.command !== '${LATE}') return;
    await pause(${LATE_MS});
    return deny('${LATE_DENIAL}');
  },
});
`;

/** A shell command as this agent reports it. */
function shellCall(agent: Agent): HookEvent {
  const payload = agent.toolPayload({ id: 'a', tool: 'Bash', input: { command: LATE }, cwd: '/' });
  return agent.decode({ id: 'a', receivedAt: 0, event: null, payload, env: {} });
}

export const lateAnswer: Check = {
  name: 'late answer',
  promise: 'the agent waits for an answer that takes three seconds',
  applies: (agent) => agent.timeoutMs(shellCall(agent)) > 2 * LATE_MS,
  rules: [],
  trustShell: true,
  calls: (client) => [[client.shell(LATE)]],
  async prepare(sandbox) {
    const folder = join(sandbox.hooklineHome, 'hooks');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'late.ts'), LATE_HOOK);
  },
  judge({ before, has, results }) {
    const answer = before(LATE)?.response.decision;
    // A machine too busy for its hooks says nothing about the client.
    if (answer !== 'deny')
      return [{ expected: 'a late answer', seen: `Hookline’s was ${answer ?? 'none'}`, state: 'untried' }];
    return [
      ...expectThat(!has('late.txt'), 'the command does not run', 'it ran'),
      ...expectOneResult(results(1), LATE_DENIAL),
    ];
  },
};
