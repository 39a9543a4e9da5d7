import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AGENT_SETTINGS, ASKED, CALLS, FILES, ROOT, SCRIPT_KEY, SHOP, SPOOLED } from './scenario.js';

// Writes a home with the built product of this version: `node test/upgrade/write-home.js <folder> [checkout]`.

const [to, checkout = fileURLToPath(new URL('../../', import.meta.url))] = process.argv.slice(2);
if (to === undefined || existsSync(to)) throw new Error('Name a folder that is not there yet.');
const HOME = join(ROOT, '.hookline');
/** A copy, because the history names the files of packs. */
const PRODUCT = join(ROOT, 'product');
const BIN = join(PRODUCT, 'bin/hookline.js');
const FORWARDER = join(PRODUCT, 'dist/forward.js');

/** The history names the user, who is the same on every machine that writes a home. */
const PRELOAD = `import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module';
const { userInfo } = os; os.userInfo = (...given) => ({ ...userInfo(...given), username: 'dev' }); syncBuiltinESMExports();`;

const ENV = {
  PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
  HOME: ROOT,
  HOOKLINE_HOME: HOME,
  HOOKLINE_NO_AUTOSTART: '1',
  HOOKLINE_SCRIPT_KEY: SCRIPT_KEY,
  NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(PRELOAD).toString('base64')}`,
  NO_COLOR: '1',
};

const start = (args) => spawn(process.execPath, args, { env: ENV, cwd: SHOP });

/** Runs a program to its end; gives what it printed. */
function run(args, input = '') {
  return new Promise((done, failed) => {
    const child = start(args);
    const out = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'])
      child[stream].setEncoding('utf8').on('data', (text) => {
        out[stream] += text;
      });
    child.on('error', failed);
    child.on('close', (code) =>
      code === 0 || code === 2 ? done(out.stdout) : failed(new Error(`${args.join(' ')}: ${out.stderr}`)),
    );
    child.stdin.end(input);
  });
}

const hookline = (...args) => run([BIN, ...args]);
const decide = (command, ...args) => hookline(command, '--as-script', ...args);
const call = ({ agent, payload }) =>
  run([FORWARDER, '--home', HOME, agent, payload.hook_event_name], JSON.stringify(payload));

function writeFiles() {
  // Fails if the directory exists already.
  mkdirSync(ROOT, { mode: 0o700 });
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(resolve(checkout), part), join(PRODUCT, part), { recursive: true });
  symlinkSync(join(resolve(checkout), 'node_modules'), join(PRODUCT, 'node_modules'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(ROOT, path), text, { mode: 0o600 });
  }
  // Only a person at a terminal can make a key.
  const hash = createHash('sha256').update(SCRIPT_KEY).digest('hex');
  const keys = [{ name: 'nightly', createdAt: '2026-11-01T08:00:00.000Z', hash }];
  writeFileSync(join(HOME, 'script-keys.json'), `${JSON.stringify({ keys }, null, 2)}\n`, { mode: 0o600 });
}

async function until(what, condition) {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(50)) {
    const found = await condition();
    if (found) return found;
  }
  throw new Error(`did not happen: ${what}`);
}

const pendingId = ({ payload }) =>
  until(`an approval of ${JSON.stringify(payload.tool_input)}`, async () => {
    const [line] = (await hookline('approvals', '--json')).split('\n');
    return line && JSON.parse(line).id;
  });

async function work() {
  for (const agent of ['claude', 'gemini', 'codex']) await decide('setup', agent, '--scope', 'user', '--yes');
  await decide('trust', SHOP, '--yes');
  // Not by `up`, which starts it without the preload.
  const daemon = start([BIN, 'daemon', '--quiet']);
  const stopped = new Promise((done) => daemon.on('close', done));
  try {
    // It counts the rules, which takes longest: no call has to wait for them then.
    await until('the daemon answers', async () => /"rules":\s*\d/.test(await hookline('status', '--json')));
    for (const one of CALLS) await call(one);
    for (const one of ASKED) {
      const answered = call(one);
      await decide(one.answer, await pendingId(one), '--scope', one.scope);
      await answered;
    }
  } finally {
    daemon.kill();
    await stopped;
  }
  await call(SPOOLED);
}

/** Of the machine, of this moment, or made again when it is missing. */
const LEFT_OUT = new Set([
  ...['bin', 'run', 'log', 'compile-cache'].map((name) => join(HOME, name)),
  // git keeps no folder of this name; the tests make it again.
  join(SHOP, '.git'),
  PRODUCT,
]);

writeFiles();
try {
  await work();
  cpSync(ROOT, join(to, 'user'), {
    recursive: true,
    filter: (path) => !LEFT_OUT.has(path),
  });
  for (const [path, text] of Object.entries(AGENT_SETTINGS)) {
    mkdirSync(dirname(join(to, 'before', path)), { recursive: true });
    writeFileSync(join(to, 'before', path), text);
  }
} finally {
  rmSync(ROOT, { recursive: true, force: true });
}
