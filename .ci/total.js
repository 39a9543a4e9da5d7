// Reads the outcome of every step and its log, names what failed, what was slow, and ends with "N passed, N failed".
import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** A failed test, and as much of its message as says why: the log may be out of reach. */
const CAUSE_LINES = 12;
const SLOWEST = 10;
/** For the whole run, on two quiet cores. */
const MOST_MINUTES = 50;

const [file = ''] = process.argv.slice(2);
const steps = readFileSync(file, 'utf8').trimEnd().split('\n').map(readStep);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const passed = sum(steps.map((step) => step.passed));
// A step may fail without a failed test: a type error, a suite that does not load, a process left behind.
const failed = sum(steps.map((step) => (step.outcome === 'ok' ? step.failed : Math.max(1, step.failed))));

printSlowest();
for (const { name, seconds, minutes } of steps.filter((step) => step.seconds > step.minutes * 60))
  console.log(
    `WARNING: ${name} took ${minutesOf(seconds)}; on two quiet cores it should take at most ${minutes} min.`,
  );
for (const { name, skipped } of steps.filter((step) => step.skipped > 0))
  console.log(`${name}: ${skipped} skipped`);
for (const step of steps.filter(({ outcome }) => outcome !== 'ok')) printFailure(step);
if (failed === 0) rmSync(dirname(file), { recursive: true });
const seconds = sum(steps.map((step) => step.seconds));
console.log(
  `\nAll steps: ${minutesOf(seconds)}${seconds > MOST_MINUTES * 60 ? `, over ${MOST_MINUTES} min` : ''}`,
);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function printSlowest() {
  const files = steps.flatMap(({ lines }) => lines.flatMap(readFileTime));
  if (files.length === 0) return;
  console.log(`\nThe slowest ${SLOWEST} of ${files.length} test files:`);
  for (const { name, ms } of files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST))
    console.log(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
}

function printFailure({ name, outcome, log, lines }) {
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

function readStep(row) {
  const [outcome, tests, log, name, seconds, minutes] = row.split('\t');
  const lines = stripVTControlCharacters(readFileSync(log, 'utf8')).split('\n');
  const summary = lines.findLast((line) => /^ *Tests +\d/.test(line));
  // No test passed or failed: none ran, all were skipped, or the runner reports in a way that we do not know.
  const isKnown = tests === 'no' || count(summary, 'passed') + count(summary, 'failed') > 0;
  return {
    name,
    log,
    lines: lines.filter((line) => line.trim() !== ''),
    outcome: isKnown ? outcome : 'FAILED',
    passed: count(summary, 'passed'),
    failed: count(summary, 'failed'),
    skipped: count(summary, 'skipped'),
    seconds: Number(seconds),
    minutes: Number(minutes),
  };
}

/** Vitest prints a line per file: ` ✓  unit  src/a.test.ts (9 tests) 344ms`. */
function readFileTime(line) {
  const [, name, ms] = /^ *[✓❯].* (\S+\.test\.ts) \(.*\) +(\d+)ms$/.exec(line) ?? [];
  return name === undefined ? [] : [{ name, ms: Number(ms) }];
}

function count(summary, word) {
  return Number(summary?.match(new RegExp(`(\\d+) ${word}`))?.[1] ?? 0);
}

function minutesOf(seconds) {
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
