// How long `hookline backtest` takes over a month of history: 100,000 recorded calls of three agents, half of them
// shell commands of which no two are the same, half of them reads and edits of files, judged by the packs that are on
// and some rules of the user's.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { valueAtMost } from '../figures.js';
import { askInTurn, openScratchHome } from '../processes/scratch-home.js';

const CALLS = 100_000;
const TARGET_SECONDS = 10;
const CONNECTIONS = 8;

const COMMANDS = [
  (n) => `npm test -- --run src/cart-${n}.test.ts`,
  (n) => `git commit -m "Step ${n} of the work"`,
  (n) => `rg -n "total${n}" src | head -20`,
  (n) => `sed -n '${n},${n + 40}p' src/cart/index.ts`,
  (n) => `cd api && cargo check 2>&1 | tail -${(n % 40) + 1}`,
  (n) => `git push origin feature-${n}`,
  (n) => `curl -s https://api.example.com/items/${n} | jq .name`,
  (n) => `mkdir -p build/${n} && cp -r dist build/${n}`,
  (n) => `rm -rf build/${n}`,
  (n) => `for f in src/*.ts; do wc -l "$f"; done | sort -n | tail -${(n % 9) + 1}`,
];

const AGENTS = {
  claude: { event: 'PreToolUse', shell: 'Bash', file: ['Read', 'Edit'] },
  codex: { event: 'PreToolUse', shell: 'Bash', file: ['Read', 'Edit'] },
  gemini: { event: 'BeforeTool', shell: 'run_shell_command', file: ['read_file', 'replace'] },
};

const RECORDED_UNDER = "rules:\n  - { id: push, command: git push, ask: 'A person looks at pushes.' }\n";
const DRAFT = `rules:
  - { id: push, command: git push, deny: 'Agents do not push.' }
  - { id: tests, command: npm test -- --run, allow: true }
  - { id: builds, deletes: 'build/**', ask: 'Is it built again?' }
`;

export async function run() {
  const home = openScratchHome(RECORDED_UNDER, false);
  try {
    const draft = join(home.folder, 'bench.yaml');
    writeFileSync(draft, DRAFT);
    const lanes = Array.from({ length: CONNECTIONS }, (_, lane) =>
      askInTurn(home.daemon.socket, lane, CALLS / CONNECTIONS, (sent) => callOf(lane, sent)),
    );
    await Promise.all(lanes);
    home.hookline('down');

    const start = process.hrtime.bigint();
    const result = JSON.parse(home.hookline('backtest', '--rules', draft, '--json'));
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    const { calls, unreadable, denied, asked, allowed } = result;
    if (calls !== CALLS || unreadable !== 0) throw new Error('not every recorded call was judged');
    if (denied === 0 || allowed === 0) throw new Error('the draft did not do its part');
    const name = `${calls} recorded calls: ${denied} newly denied, ${asked} asked, ${allowed} allowed`;
    return [{ name, value: seconds, unit: 's', target: valueAtMost(TARGET_SECONDS) }];
  } finally {
    home.close();
  }
}

/** @returns {{ agent: string, payload: object }} */
function callOf(lane, sent) {
  const [agent, { event, shell, file }] = Object.entries(AGENTS)[sent % 3];
  const number = sent * CONNECTIONS + lane;
  const path = `/home/dev/shop-${lane}/src/file-${number % 3000}.ts`;
  const isShell = Math.floor(sent / 3) % 2 === 0;
  const tool = isShell ? shell : file[Math.floor(sent / 6) % 2];
  const input = isShell
    ? { command: COMMANDS[number % COMMANDS.length](number) }
    : { file_path: path, old_string: 'a', new_string: 'b' };
  const payload = {
    session_id: `session-${lane}-${Math.floor(sent / 500)}`,
    transcript_path: '/home/dev/transcript.jsonl',
    cwd: `/home/dev/shop-${lane}`,
    hook_event_name: event,
    permission_mode: 'default',
    model: 'any',
    turn_id: `turn-${sent}`,
    timestamp: new Date(0).toISOString(),
    tool_name: tool,
    tool_input: input,
    tool_use_id: `use-${lane}-${sent}`,
  };
  return { agent, payload };
}
