// How many calls a second the daemon answers on its socket, each committed before its answer, and what memory it
// holds afterwards.
import { askInTurn, openScratchHome, residentMegabytes } from './scratch-home.js';

const CALLS = 100_000;
const CONNECTIONS = 8;

export async function run() {
  const home = openScratchHome("rules:\n  - { id: r, command: rm, deny: 'no' }\n");
  try {
    const before = residentMegabytes(home.daemon.pid);
    const start = process.hrtime.bigint();
    const lanes = Array.from({ length: CONNECTIONS }, (_, lane) =>
      askInTurn(home.daemon.socket, lane, CALLS / CONNECTIONS, (sent) => callOf(lane, sent)),
    );
    await Promise.all(lanes);
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    const stored = JSON.parse(home.hookline('status', '--json')).events;
    console.log(
      `${CALLS} calls on ${CONNECTIONS} connections: ${Math.round(CALLS / seconds)} a second, ${stored} stored`,
    );
    if (stored !== CALLS) throw new Error('not every answered call is stored');
    console.log(
      `memory of the daemon: ${before?.toFixed(0)} MB idle, ${residentMegabytes(home.daemon.pid)?.toFixed(0)} MB after them`,
    );
  } finally {
    home.close();
  }
}

/** @returns {{ agent: string, payload: object }} */
function callOf(lane, sent) {
  const payload = {
    session_id: `session-${lane}-${Math.floor(sent / 500)}`,
    transcript_path: '/home/dev/.claude/projects/shop/x.jsonl',
    cwd: '/home/dev/shop',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: `echo ${lane} ${sent}`, description: 'Say something' },
    tool_use_id: `toolu_${lane}_${sent}`,
  };
  return { agent: 'claude', payload };
}
