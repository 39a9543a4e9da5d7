// What one hook call costs an agent: the whole program, started by `sh -c` as agents do, beside the cheapest
// program there is and beside the ways that people use today.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, ratioAtLeast, ratioAtMost } from '../figures.js';
import { programOf, SAFETY_NET } from '../loads/others.js';
import { openScratchHome, root } from '../processes/scratch-home.js';
import { missingSpawn, timesOf } from '../processes/spawned.js';

const FAST_ROUNDS = 400;
const SLOW_ROUNDS = 40;
const QUICK_ROUNDS = { fast: 150, slow: 8 };

const payload = {
  session_id: '9181a42a-0006-4d25-842d-942958858d4c',
  transcript_path: '/home/dev/.claude/projects/-home-dev-shop/9181a42a.jsonl',
  cwd: '/home/dev/shop',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm test -- --run src/cart', description: 'Run the tests' },
  tool_use_id: 'toolu_01',
};

const rules = `rules:
${[
  'rm -rf /',
  'git push --force',
  'mkfs',
  'dd',
  'shutdown',
  'terraform destroy',
  'kubectl delete',
  'npm publish',
]
  .map((command, at) => `  - { id: r${at}, command: '${command}', deny: 'no' }`)
  .join('\n')}
`;

// A dispatcher script as people have them, with the standard library in place of \`requests\`, which is slower still.
const dispatcher = `import json, sys, urllib.request
body = json.dumps({"hook_type": sys.argv[1], "input_data": json.load(sys.stdin)}).encode()
call = urllib.request.Request(URL, body, {"Content-Type": "application/json", "Authorization": "Bearer " + TOKEN})
result = json.load(urllib.request.urlopen(call, timeout=5))
print(json.dumps(result))
sys.exit(0 if result.get("continue", True) else 1)
`;

export async function run({ quick, install }) {
  const missing = missingSpawn();
  if (missing !== null) return [{ name: 'native forwarder', skipped: missing }];
  const rounds = quick ? QUICK_ROUNDS : { fast: FAST_ROUNDS, slow: SLOW_ROUNDS };
  const home = openScratchHome(rules);
  try {
    const input = join(home.folder, 'payload.json');
    writeFileSync(input, JSON.stringify(payload));
    const measure = (count, commands) => timesOf(count, input, commands, home.env).map(median);
    const native = `${home.forwarder} claude PreToolUse`;
    measure(50, [native]);
    const [floor, forwarded] = measure(rounds.fast, ['/bin/true', native]);
    const others = slowHooks(home, install);
    const [slowFloor, slowNative, ...slow] = measure(rounds.slow, [
      '/bin/true',
      native,
      ...others.map(({ command }) => command),
    ]);
    return [
      { name: 'sh -c /bin/true (the floor)', value: floor, unit: 'ms' },
      {
        name: 'native forwarder, complete round trip',
        value: forwarded,
        unit: 'ms',
        ratio: forwarded / floor,
        to: 'the floor',
        target: ratioAtMost(1.65),
        isCompared: true,
      },
      ...others.map((other, at) => slowFigure(other, slow[at], slowNative)),
      // No hook that a shell starts can beat an empty Node program by more.
      { name: 'an empty Node hook', value: slow[0], unit: 'ms', ratio: slow[0] / slowFloor, to: 'the floor' },
      ...(others.some(({ name }) => name.startsWith(SAFETY_NET.package)) ? [] : [NOT_INSTALLED]),
    ];
  } finally {
    home.close();
  }
}

const NOT_INSTALLED = {
  name: `${SAFETY_NET.package} ${SAFETY_NET.version}`,
  skipped: 'not installed: npm run bench -- --install',
};

function slowFigure({ name, target }, value, native) {
  const figure = { name: `${name}, beside ours`, value, unit: 'ms', ratio: value / native };
  return { ...figure, to: 'the native forwarder', ...(target ? { target } : {}) };
}

/** The ways that people use today, as commands. */
function slowHooks(home, install) {
  const script = join(home.folder, 'dispatcher.py');
  const at = `URL = ${JSON.stringify(`${home.daemon.http}/hooks/claude`)}\nTOKEN = ${JSON.stringify(home.token)}\n`;
  writeFileSync(script, at + dispatcher);
  const node = process.execPath;
  const safetyNet = programOf(SAFETY_NET, install);
  return [
    { name: 'an empty Node hook', command: `${node} -e 'process.stdin.resume()'`, target: ratioAtLeast(25) },
    { name: 'Node forwarder', command: `${node} ${join(root, 'dist/forward.cjs')} claude PreToolUse` },
    { name: 'a Python dispatcher script', command: `python3 ${script} pre-tool-use` },
    ...(safetyNet === null
      ? []
      : [
          {
            name: `${SAFETY_NET.package} ${SAFETY_NET.version}`,
            command: `${node} ${safetyNet} hook --claude-code`,
            target: ratioAtLeast(35),
          },
        ]),
  ];
}
