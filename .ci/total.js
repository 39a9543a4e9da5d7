// Reads the outcome of every step and its log, names what failed, and ends with "N passed, N failed".
import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** A failed test, and as much of its message as says why: the log may be out of reach. */
const CAUSE_LINES = 12;

const [file = ''] = process.argv.slice(2);
const steps = readFileSync(file, 'utf8').trimEnd().split('\n').map(readStep);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const passed = sum(steps.map((step) => step.passed));
// A step may fail without a failed test: a type error, a suite that does not load, a process left behind.
const failed = sum(steps.map((step) => (step.outcome === 'ok' ? step.failed : Math.max(1, step.failed))));

for (const { name, outcome, log, lines } of steps.filter(({ outcome }) => outcome !== 'ok')) {
  console.log(`\n${name}: ${outcome}. All of it: ${log}`);
  const telling = lines.flatMap((line, at) =>
    /^ *FAIL /.test(line)
      ? lines.slice(at, at + CAUSE_LINES)
      : /^ *(Left behind|in the )/.test(line)
        ? [line]
        : [],
  );
  for (const line of (telling.length > 0 ? telling : lines.slice(-20)).slice(0, 200))
    console.log(`  ${line}`);
}
if (failed === 0) rmSync(dirname(file), { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function readStep(row) {
  const [outcome, tests, log, name] = row.split('\t');
  const lines = stripVTControlCharacters(readFileSync(log, 'utf8')).split('\n');
  const summary = lines.findLast((line) => /^ *Tests +\d/.test(line));
  // No summary of tests: they did not run, or the runner says it in words that we do not know. Neither is a pass.
  const isKnown = tests === 'no' || summary !== undefined;
  return {
    name,
    log,
    lines: lines.filter((line) => line.trim() !== ''),
    outcome: isKnown ? outcome : 'FAILED',
    passed: count(summary, 'passed'),
    failed: count(summary, 'failed'),
  };
}

function count(summary, word) {
  return Number(summary?.match(new RegExp(`(\\d+) ${word}`))?.[1] ?? 0);
}
