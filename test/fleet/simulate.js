// npm run fleet:simulate: many machines of a fleet on a real server, what they need, and whether each record is there once.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importSource } from '../bundle-source.js';
import { checksOf, tableOf } from './simulation-report.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const HELP = `Runs many machines of a fleet in one process against a real nats-server on loopback. Each machine has its own key, store,
connection, outbox and policy: the code of the product, without a daemon around it. It measures what they need, kills the server
in the middle, and at the end compares the stream with what each machine recorded.

Usage  npm run fleet:simulate -- [options]

  --machines N     how many machines; 1000 without it
  --events N       how many records, over all machines; 100000 without it
  --kill-server N  how often the server is killed (kill -9) and started again while records come; 1 without it
  --json FILE      the results as data
  --help           this text

What happens  Two fifths of the events are recorded first, then all machines join at once and send them (backfill). The others are
recorded while the machines are connected, and the server is killed. Then rules are published for all of them.

The exit code is 1 when a record is lost, doubled or unproven, or a machine did not take on the rules.
It wants nats-server (\`apt-get install nats-server\`, or its path in HOOKLINE_NATS_SERVER) and two open files a machine.

Examples
  npm run fleet:simulate -- --machines 50 --events 5000
  npm run fleet:simulate -- --kill-server 3 --json fleet.json`;

const { values } = parseArgs({
  options: {
    machines: { type: 'string', default: '1000' },
    events: { type: 'string', default: '100000' },
    'kill-server': { type: 'string', default: '1' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}

/**
 * @param {'machines' | 'events' | 'kill-server'} name
 * @param {number} least
 */
function countOf(name, least) {
  const count = Number(values[name]);
  if (Number.isInteger(count) && count >= least) return count;
  console.error(`--${name} is a number from ${least} on, not "${values[name]}". --help says more.`);
  process.exit(1);
}

const options = {
  machines: countOf('machines', 1),
  events: countOf('events', 1),
  kills: countOf('kill-server', 0),
};
const begun = performance.now();
const say = (line) =>
  console.error(`${((performance.now() - begun) / 1_000).toFixed(0).padStart(4)} s  ${line}`);

// Below node_modules: the native SQLite is not bundled, and is found from there.
const cache = join(root, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'hookline-simulation-'));
// Also with Ctrl-C: nothing is left behind, and no server runs on.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    process.exitCode = 1;
    process.exit();
  });
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
try {
  const bundle = join(folder, 'bundle');
  const { simulate, serverProgram } = await importSource('test/fleet/simulation.ts', bundle);
  cpSync(join(root, 'src/store/database/migrations'), join(bundle, 'dist', 'migrations'), {
    recursive: true,
  });
  if (serverProgram === undefined) {
    console.error(
      'There is no nats-server here. Install it (`apt-get install nats-server`), or name it in HOOKLINE_NATS_SERVER.',
    );
    process.exitCode = 1;
  } else {
    const data = join(folder, 'data');
    mkdirSync(data);
    const result = await simulate({ ...options, folder: data, say });
    const machine = {
      cores: availableParallelism(),
      gigabytes: Math.round(totalmem() / 2 ** 30),
      node: process.version.slice(1),
      platform: process.platform,
    };
    const checks = checksOf(options, result);
    console.log(tableOf(options, result, checks));
    const written = { at: new Date().toISOString(), machine, options, ...result, checks };
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(written, null, 2)}\n`);
    if (checks.some(({ holds }) => !holds)) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
