// npm run bench: measures what the product promises, prints one table and writes one JSON file.
import { readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { here, readBaseline } from './baseline.js';
import { compareBench, MARGIN, TRIES } from './compare.js';
import { beyondText, LIMIT } from './counts.js';
import { tableOf } from './table.js';

const folder = new URL('.', import.meta.url);
const baseline = readBaseline();
const all = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.js'))
  .map((name) => name.replace('.bench.js', ''));

const HELP = `Measures what the product promises: prints one table and writes one JSON file.

Usage  npm run bench -- [name…] [options]

  --quick       fewer rounds
  --out FILE    the JSON goes there instead of to bench.json
  --install     also install the programs of others that are measured beside ours
  --compare     quick; fails when a ratio is more than ${MARGIN} times the one in baseline.json, or a count more than
                ${LIMIT * 100} % above it, in each of ${TRIES} tries
  --baseline    quick; writes the ratios and counts of this run to baseline.json
  --help        this text

A ratio is taken in one run, side by side, so that a slow machine slows both. Counts depend on Node, not on the machine.
MISSED is a target that was not met.

Benches
${all.map((name) => `  ${name}`).join('\n')}

Examples
  npm run bench -- rules redact --quick
  npm run bench -- --compare`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'bench.json' },
    quick: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    baseline: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. There are: ${all.join(', ')}.`);
  process.exit(1);
}
const isCompared = values.compare || values.baseline;
const options = { quick: values.quick || isCompared, install: values.install };
const usual = isCompared ? baseline.benches : all;

async function measure(name) {
  const { run } = await import(new URL(`${name}.bench.js`, folder).href);
  return run(options);
}

/** How often a bench is measured depends on what it is compared with. */
async function tryBench(name) {
  if (!isCompared) return { tries: [await measure(name)], worse: [], beyond: [] };
  return compareBench(values.compare ? baseline.of(name) : null, () => measure(name));
}

const benches = new Map();
const measured = new Map();
const worse = [];
const beyond = [];
// One that fails does not keep the others from being measured.
for (const name of positionals.length > 0 ? positionals : usual) {
  console.error(`measuring ${name} …`);
  try {
    const found = await tryBench(name);
    benches.set(name, found.tries.at(-1));
    measured.set(name, found.tries);
    worse.push(...found.worse.map((one) => ({ bench: name, ...one })));
    beyond.push(...found.beyond.map((one) => ({ bench: name, ...one })));
  } catch (error) {
    console.error(error);
    benches.set(name, [{ name, failed: error.message }]);
    process.exitCode = 1;
  }
}

console.log(tableOf(benches));
const machine = { node: process.version, platform: process.platform, cores: availableParallelism() };
const result = {
  at: new Date().toISOString(),
  machine,
  quick: options.quick,
  benches: Object.fromEntries(benches),
};
writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`);
if (values.baseline) baseline.write(measured);
if (values.compare) {
  for (const { bench, name, before, now } of worse)
    console.log(
      `${bench}, ${name}: ${now === null ? 'not measured' : `${now.toFixed(2)} ×`}, was ${before} ×`,
    );
  for (const one of beyond) console.log(beyondText(one));
  if (!baseline.hasCounts)
    console.log(
      `SKIPPED, counts are not compared: baseline.json has none of ${here}. \`--baseline\` writes them.`,
    );
  console.log(`\nRatios that are worse than ${MARGIN} × the baseline: ${worse.length}`);
  console.log(
    `Counts that are more than ${LIMIT * 100} % above the baseline, missing or too low: ${beyond.length}`,
  );
  if (worse.length + beyond.length > 0) process.exitCode = 1;
}
