// What one hook call costs an agent: the whole program, started by `sh -c` as agents do, beside the cheapest
// program there is and beside the ways that people use today.
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, openScratchHome, root } from './scratch-home.js';

const FAST_ROUNDS = 400;
const SLOW_ROUNDS = 40;

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

export async function run() {
  if (!existsSync(join(root, 'dist/bin/hookline-forward'))) {
    console.log('skipped: the native forwarder is not built (it needs cargo)');
    return;
  }
  execFileSync('cargo', ['build', '--quiet', '--offline', '--release', '--example', 'spawn'], {
    cwd: join(root, 'native'),
  });
  const spawn = join(root, 'native/target/release/examples/spawn');
  const home = openScratchHome(rules);
  try {
    const input = join(home.folder, 'payload.json');
    writeFileSync(input, JSON.stringify(payload));
    const script = join(home.folder, 'dispatcher.py');
    const at = `URL = ${JSON.stringify(`${home.daemon.http}/hooks/claude`)}\nTOKEN = ${JSON.stringify(home.token)}\n`;
    writeFileSync(script, at + dispatcher);

    const measure = (rounds, ...commands) =>
      execFileSync(spawn, [String(rounds), input, ...commands], {
        env: home.env,
        encoding: 'utf8',
        maxBuffer: 1 << 26,
      })
        .trim()
        .split('\n')
        .map((line) => line.split(' ').map(Number));
    const native = `${home.forwarder} claude PreToolUse`;
    measure(50, native);
    const [floor, forwarded] = measure(FAST_ROUNDS, '/bin/true', native);
    const [slowFloor, slowNative, nodeForwarder, nodeHook, python] = measure(
      SLOW_ROUNDS,
      '/bin/true',
      native,
      `${process.execPath} ${join(root, 'dist/forward.js')} claude PreToolUse`,
      `${process.execPath} -e 'process.stdin.resume()'`,
      `python3 ${script} pre-tool-use`,
    );
    const ms = (times) => (median(times) / 1e6).toFixed(2);
    const ratio = (times, to) => (median(times) / median(to)).toFixed(2);
    console.log(`sh -c /bin/true (the floor)        ${ms(floor)} ms`);
    console.log(
      `native forwarder, whole round trip ${ms(forwarded)} ms   ${ratio(forwarded, floor)} × the floor (target ≤ 2)`,
    );
    console.log(
      `an empty Node hook                 ${ms(nodeHook)} ms   ${ratio(nodeHook, slowNative)} × the native forwarder (target ≥ 25)`,
    );
    console.log(
      `Node forwarder                     ${ms(nodeForwarder)} ms   ${ratio(nodeForwarder, slowNative)} × the native forwarder`,
    );
    console.log(
      `a Python dispatcher script         ${ms(python)} ms   ${ratio(python, slowNative)} × the native forwarder`,
    );
    console.log(
      `(an empty Node program is ${ratio(nodeHook, slowFloor)} × the floor: no hook started by a shell can beat it by more)`,
    );
    console.log(`(floor beside the slow ones        ${ms(slowFloor)} ms)`);
  } finally {
    home.close();
  }
}
