// What redaction costs: on text as agents have it, and on text made to be dear.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSource } from '../bundle-source.js';
import { median, root } from './scratch-home.js';

const MEGABYTE = 1_000_000;
/** For what is there by the hundreds. */
const SHORT = 40_000;
const SHORT_ROUNDS = 3;
const ROUNDS = 7;
const SHOWN = 5;

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  try {
    const { redact, HOSTILE, HOSTILE_FORMATS, HOSTILE_FORMS, HOSTILE_PREFIXES } = await importSource(
      'test/bench/redact-entry.ts',
      join(folder, 'bundle'),
    );
    const plain = measure(plainPass, typical());
    console.log(`a plain pass over 1 MB, as a measure: ${plain.toFixed(2)} ms`);
    const line = ({ name, ms }) =>
      `1 MB of ${name}: ${ms.toFixed(1)} ms, ${(ms / plain).toFixed(0)} plain passes (target: 50 ms)`;
    const measured = (hostile, length, rounds = ROUNDS) => ({
      name: hostile.name,
      ms: (measure(redact, hostile.text(length), rounds) * MEGABYTE) / length,
    });
    const slowest = (what, texts) => {
      const all = texts.map((hostile) => ({ hostile, ...measured(hostile, SHORT, SHORT_ROUNDS) }));
      all.sort((a, b) => b.ms - a.ms);
      console.log(`of ${all.length} ${what}, the slowest:`);
      // What a short text may take longer for, such as a thousand values to judge, a long one has only once.
      for (const { hostile } of all.slice(0, SHOWN)) console.log(line(measured(hostile, MEGABYTE)));
    };
    console.log(line({ name: 'typical text', ms: measure(redact, typical()) }));
    for (const hostile of HOSTILE) console.log(line(measured(hostile, MEGABYTE)));
    slowest('hostile texts on lines and in JSON', HOSTILE_FORMATS);
    slowest('beginnings of secrets, repeated', HOSTILE_PREFIXES);
    slowest('texts that are nearly secrets, or secrets without end', HOSTILE_FORMS);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A tool's output in a call: our own sources and lock file, serialised. */
function typical() {
  const files = ['package-lock.json', 'README.md', 'docs/rules.md', 'src/redact/reader.ts', 'CHANGELOG.md'];
  const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  return JSON.stringify({ stdout: text.repeat(Math.ceil(MEGABYTE / text.length)) }).slice(0, MEGABYTE);
}

/** Every character once. */
function plainPass(text) {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at);
  return sum;
}

/** The processor's time, which others on the machine do not add to. */
function measure(pass, text, rounds = ROUNDS) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    pass(text);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return median(times);
}
