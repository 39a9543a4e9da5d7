// What memory the daemon holds after a long time of work: sessions of three agents that come and go, commands of which
// no two are the same.
import { valueAtMost } from './figures.js';
import { askInTurn, openScratchHome, residentMegabytes } from './scratch-home.js';

const CALLS = 1_000_000;
const QUICK_CALLS = 50_000;
const CONNECTIONS = 8;
const CALLS_A_SESSION = 200;
const AGENTS = { claude: 'PreToolUse', codex: 'PreToolUse', gemini: 'BeforeTool' };

export async function run({ quick }) {
  const home = openScratchHome("rules:\n  - { id: r, command: rm, deny: 'no' }\n", false);
  try {
    const calls = quick ? QUICK_CALLS : CALLS;
    const { pid, socket } = home.daemon;
    const idle = residentMegabytes(pid);
    let most = 0;
    let answered = 0;
    const look = () => {
      answered += 1;
      if (answered % 1_000 === 0) most = Math.max(most, residentMegabytes(pid));
    };
    await Promise.all(
      Array.from({ length: CONNECTIONS }, (_, lane) =>
        askInTurn(socket, lane, calls / CONNECTIONS, (sent) => callOf(lane, sent), look),
      ),
    );
    return [
      { name: 'memory of the idle daemon', value: idle, unit: 'MB' },
      {
        ...{ name: `memory after ${answered} calls`, value: residentMegabytes(pid), unit: 'MB' },
        target: valueAtMost(160),
      },
      { name: 'the most of it meanwhile', value: most, unit: 'MB' },
    ];
  } finally {
    home.close();
  }
}

/** @returns {{ agent: string, payload: object }} */
function callOf(lane, sent) {
  const session = Math.floor(sent / CALLS_A_SESSION);
  const [agent, event] = Object.entries(AGENTS)[session % 3];
  const payload = {
    session_id: `session-${lane}-${session}`,
    transcript_path: '/home/dev/transcript.jsonl',
    cwd: `/home/dev/shop-${session % 50}`,
    hook_event_name: event,
    model: 'any',
    timestamp: new Date(0).toISOString(),
    tool_name: agent === 'gemini' ? 'run_shell_command' : 'Bash',
    tool_input: { command: `npm test -- --run src/part-${lane}-${sent}.test.ts | tail -${(sent % 40) + 1}` },
    tool_use_id: `toolu_${lane}_${sent}`,
  };
  return { agent, payload };
}
