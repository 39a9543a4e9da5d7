// npm run bench: measures what the product promises, prints one table and writes one JSON file.
import { readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { here, readBaseline } from './baseline.js';
import { compareBench, MARGIN, NOTHING_BEFORE } from './compare.js';
import { beyondText, LIMIT } from './counts.js';
import { helpText } from './help.js';
import { limitText, tableOf } from './table.js';

const folder = new URL('./benches/', import.meta.url);
const baseline = readBaseline();
const all = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.js'))
  .map((name) => name.replace('.bench.js', ''));

/** Without a baseline, but with limits of their own. */
const LIMITED = ['earlier'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'bench.json' },
    quick: { type: 'boolean', default: false },
    against: { type: 'string' },
    million: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    baseline: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(helpText(all));
  process.exit();
}
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. There are: ${all.join(', ')}.`);
  process.exit(1);
}
const isCompared = values.compare || values.baseline;
const { install, against, million } = values;
const options = { quick: values.quick || isCompared, install, against, million };
const usual = isCompared ? [...baseline.benches, ...LIMITED] : all;

async function measure(name) {
  const { run } = await import(new URL(`${name}.bench.js`, folder).href);
  return run(options);
}

function beforeOf(name) {
  if (values.baseline) return null;
  return values.compare ? baseline.of(name) : NOTHING_BEFORE;
}

const benches = new Map();
const measured = new Map();
const worse = [];
const beyond = [];
const missed = [];
// A failing bench does not stop the others.
for (const name of positionals.length > 0 ? positionals : usual) {
  console.error(`measuring ${name} …`);
  try {
    const found = await compareBench(beforeOf(name), () => measure(name));
    benches.set(name, found.tries.at(-1));
    measured.set(name, found.tries);
    worse.push(...found.worse.map((one) => ({ bench: name, ...one })));
    beyond.push(...found.beyond.map((one) => ({ bench: name, ...one })));
    missed.push(...found.missed.map((one) => ({ bench: name, ...one })));
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
  for (const [bench, figures] of benches)
    for (const { name, skipped } of figures)
      if (skipped) console.log(`SKIPPED, ${bench}, ${name}: ${skipped}`);
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
for (const one of missed) console.log(limitText(one));
if (missed.length > 0) process.exitCode = 1;
