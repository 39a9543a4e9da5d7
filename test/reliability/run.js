// npm run reliability: tries faults and load on the built daemon, and writes docs/reliability.md.
import { writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { documentOf } from './document.js';
import { tryFault } from './fault.js';
import { crowd } from './faults/crowd.js';
import * as database from './faults/database.js';
import * as disk from './faults/disk.js';
import { bitFlips } from './faults/flips.js';
import * as payloads from './faults/payloads.js';
import * as processes from './faults/process.js';
import { tryLoad } from './load.js';

const CALLS = 1_000_000;

const FAULTS = [
  processes.killed,
  processes.frozen,
  processes.socketDeleted,
  processes.noteDeleted,
  processes.herd,
  database.deleted,
  database.overwritten,
  database.cutShort,
  database.logFlipped,
  bitFlips,
  disk.fullDisk,
  payloads.big,
  crowd,
  payloads.fuzzed,
];

const HELP = `Breaks the built daemon in every way below, compares each answer with the record, then measures it under load.
Writes docs/reliability.md. Takes about ten minutes; wants Linux and the native forwarder.

Usage  npm run reliability -- [options]

  --short       a few calls of each, in about two minutes; writes no page without --out
  --only PART   only the faults with this in their names, without load; writes no page. Can be repeated
  --out FILE    the page goes there instead of to docs/reliability.md
  --json FILE   the results as data
  --help        this text

The exit code is 1 when a fault or the load did not pass.

Faults
${FAULTS.map(({ name }) => `  ${name}`).join('\n')}

Examples
  npm run reliability -- --short --out /tmp/reliability.md
  npm run reliability -- --only 'the database' --only SIGSTOP`;

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    out: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const { short, only } = values;
if (values.help) {
  console.log(HELP);
  process.exit();
}
// A mistyped name would try nothing and pass.
const unknown = only.filter((part) => !FAULTS.some(({ name }) => name.includes(part)));
if (unknown.length > 0) {
  console.error(`No fault has "${unknown.join('" or "')}" in its name. --help lists them.`);
  process.exit(1);
}
const wanted = FAULTS.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
const start = performance.now();
const seconds = (since) => `${((performance.now() - since) / 1_000).toFixed(0)} s`;

const faults = [];
for (const fault of wanted) {
  const since = performance.now();
  const result = await tryFault(fault, { short });
  const outcome = result.skipped === null ? (result.passed ? 'passed' : 'FAILED') : 'SKIPPED';
  console.error(`${outcome}: ${fault.name} (${seconds(since)}) ${result.skipped ?? result.remark}`);
  faults.push(result);
}
const made = faults.reduce((sum, { calls }) => sum + calls, 0);
const load = only.length > 0 ? null : await tryLoad({ short, total: short ? 0 : CALLS - made });
const machine = {
  cores: availableParallelism(),
  gigabytes: Math.round(totalmem() / 2 ** 30),
  node: process.version.slice(1),
  platform: process.platform,
};
const at = new Date().toISOString();
const minutes = (performance.now() - start) / 60_000;
if (load !== null) {
  const page = documentOf({ at, minutes, command: 'npm run reliability', machine, faults, load });
  const out = values.out ?? (short ? null : new URL('../../docs/reliability.md', import.meta.url));
  if (out !== null) writeFileSync(out, page);
  console.log(page);
}
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ at, minutes, machine, faults, load }, null, 2)}\n`);
if (faults.some(({ passed }) => !passed) || load?.passed === false) process.exitCode = 1;
