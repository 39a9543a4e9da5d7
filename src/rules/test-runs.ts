import type { Analysis, SimpleCommand } from '../shell/analysis.ts';

/** Programs that run tests whatever their arguments are. */
const RUNNERS = new Set([
  'jest',
  'vitest',
  'mocha',
  'ava',
  'tap',
  'pytest',
  'tox',
  'nox',
  'rspec',
  'phpunit',
  'ctest',
  'bats',
  'gotestsum',
  'nextest',
]);
/** Programs that run tests when told so by a word. */
const TOLD = new Set([
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'deno',
  'cargo',
  'go',
  'mvn',
  'gradle',
  'gradlew',
  'make',
  'just',
  'dotnet',
  'swift',
  'mix',
  'rake',
  'bundle',
  'composer',
  'sbt',
  'bazel',
  'zig',
  'node',
  'python',
]);
const WORD = /^(?:test|tests|t|check|spec|test[:_-].*|.*[:_-]tests?|unittest|pytest)$/;

/** Did this command line run tests? */
export function isTestRun(analysis: Analysis | null): boolean {
  return analysis?.commands.some(runsTests) ?? false;
}

function runsTests({ tool, sub, operands, options }: SimpleCommand): boolean {
  if (tool === null) return false;
  if (RUNNERS.has(tool)) return true;
  if (!TOLD.has(tool)) return false;
  const words = [...sub, ...operands.map(({ text }) => text ?? '')].slice(0, 2);
  return words.some((word) => WORD.test(word)) || options.some(({ name }) => name === '--test');
}
