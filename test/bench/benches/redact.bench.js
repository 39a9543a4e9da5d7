// Cost of redaction: on typical text of agents, and on text made to be slow.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSource } from '../../bundle-source.js';
import { median, valueAtMost } from '../figures.js';
import { plainPass } from '../loads/plain-pass.js';
import { typicalText } from '../loads/typical-text.js';

const MEGABYTE = 1_000_000;
/** For what is there by the hundreds. */
const SHORT = 40_000;
const SHORT_ROUNDS = 3;
const ROUNDS = 7;
const SHOWN = 5;
const MOST_MS = 50;
const WARM_UP = 20;

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  try {
    const parts = await importSource('test/bench/benches/redact-entry.ts', join(folder, 'bundle'));
    const bench = createBench(parts.redact);
    if (quick) {
      const [slowest] = bench.slowest('hostile texts', parts.HOSTILE);
      const all = [bench.typical, { ...slowest, name: '1 MB of the slowest of all hostile texts' }];
      return all.map((figure) => ({ ...figure, isCompared: true }));
    }
    return [
      bench.plain,
      bench.typical,
      ...parts.HOSTILE.map((hostile) => bench.figure(hostile.name, bench.ms(hostile, MEGABYTE, ROUNDS))),
      ...bench.slowest('on lines and in JSON', parts.HOSTILE_FORMATS),
      ...bench.slowest('beginnings of secrets, repeated', parts.HOSTILE_PREFIXES),
      ...bench.slowest('nearly secrets, or without end', parts.HOSTILE_FORMS),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function createBench(redact) {
  // A tool's output in a call, serialised.
  const text = JSON.stringify({ stdout: typicalText(MEGABYTE) }).slice(0, MEGABYTE);
  const plain = measure(plainPass, text, ROUNDS);
  // The daemon runs for days: its code is compiled by the time that a text of this size comes, and so is this one's.
  measure(redact, text, WARM_UP);
  const ms = (hostile, length, rounds) => (measure(redact, hostile.text(length), rounds) * MEGABYTE) / length;
  const figure = (name, value) => ({
    name: `1 MB of ${name}`,
    value,
    unit: 'ms',
    ratio: value / plain,
    to: 'a plain pass',
    target: valueAtMost(MOST_MS),
  });
  return {
    ms,
    figure,
    plain: { name: 'a plain pass over 1 MB, as a measure', value: plain, unit: 'ms' },
    typical: figure('typical text', measure(redact, text, ROUNDS)),
    slowest: (name, texts) =>
      texts
        .map((hostile) => ({ hostile, short: ms(hostile, SHORT, SHORT_ROUNDS) }))
        .sort((a, b) => b.short - a.short)
        .slice(0, SHOWN)
        // What a short text may take longer for, such as a thousand values to judge, a long one has only once.
        .map(({ hostile }) => figure(`${name}: ${hostile.name}`, ms(hostile, MEGABYTE, ROUNDS)))
        .sort((a, b) => b.value - a.value),
  };
}

/** The processor's time, which others on the machine do not add to. */
function measure(pass, text, rounds) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    pass(text);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return median(times);
}
