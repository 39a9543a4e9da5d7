// How many files of code the daemon loads until it is warm, how much code that is, and whether calls load any more; and how
// much code commands load. Nearly all that a command takes is for that, and unlike its time, it is the same in every run.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { typicalCall } from '../loads/typical-call.js';
import { startCountedDaemon } from '../processes/counted-daemon.js';
import { openScratchHome, root } from '../processes/scratch-home.js';

const CALLS = 1_000;
const AGENTS = ['claude', 'codex', 'gemini'];
const LOADED_CODE = fileURLToPath(new URL('../processes/loaded-code.js', import.meta.url));
const COMMANDS = [['try', '--batch'], ['status'], ['events']];
const TRIED = '{"tool":"Bash","input":{"command":"npm test"},"cwd":"/home/dev/shop"}\n';

export async function run() {
  return [...(await ofDaemon()), ...ofCommands()];
}

async function ofDaemon() {
  const daemon = await startCountedDaemon({ env: { HOOKLINE_BENCH_MODULES: 'yes' } });
  try {
    await daemon.probe('settle');
    const start = await daemon.probe('modules');
    await daemon.call({ name: 'first', callers: 1, pauseMs: 0 }, CALLS, (lane, round) =>
      typicalCall(lane, round, AGENTS),
    );
    await daemon.probe('settle');
    const later = (await daemon.probe('modules')).count - start.count;
    daemon.checkStored();
    return [
      { name: 'modules loaded at daemon start', value: start.count, unit: 'files', isCount: true },
      { name: 'code loaded at daemon start', value: start.characters / 1_000, unit: 'KB', isCount: true },
      { name: 'modules loaded by the first 1,000 calls', value: later, unit: 'files', isCount: true },
    ];
  } finally {
    await daemon.close();
  }
}

function ofCommands() {
  const home = openScratchHome("rules: [{ id: r, command: rm, deny: 'no' }]\n");
  try {
    const { script } = JSON.parse(readFileSync(join(home.home, 'bin/forwarder.json'), 'utf8'));
    const call = JSON.stringify(typicalCall('commands', 0, AGENTS).payload);
    const forwarder = [script, '--home', home.home, 'claude', 'PreToolUse'];
    return [
      loadedBy('the JavaScript forwarder', forwarder, home.env, call),
      ...COMMANDS.map((words) =>
        loadedBy(words.join(' '), [join(root, 'bin/hookline.js'), ...words], home.env, TRIED),
      ),
    ];
  } finally {
    home.close();
  }
}

function loadedBy(name, args, env, input) {
  const ran = spawnSync(process.execPath, ['--import', LOADED_CODE, ...args], {
    ...{ env: { ...env, HOOKLINE_BENCH_LOADED: 'yes' }, input, encoding: 'utf8' },
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
  if (ran.status !== 0) throw new Error(`${name}: ${ran.stderr}`);
  const { characters } = JSON.parse(ran.output[3]);
  return { name: `code loaded by ${name}`, value: characters / 1_000, unit: 'KB', isCount: true };
}
