import { entryFor } from '../../knowledge/load.ts';
import type { Entry } from '../../knowledge/program.ts';
import { SHELLS } from '../../model/shells.ts';
import { rememberText } from '../../platform/bounded.ts';
import { analyse } from '../analyse.ts';
import type { Analysis, SimpleCommand } from '../analysis.ts';
import { decidingCommands } from '../syntax/exit-status.ts';

type Purpose = NonNullable<Entry['purpose']>;

const purposeOf = (tool: string): Purpose | undefined => entryFor(tool)?.purpose;

const TEST_WORD = /^(?:test|tests|t|check|spec|test[:_-].*|.*[:_-]tests?|unittest|pytest)$/;
const BUILD_WORD =
  /^(?:build|compile|b|all|package|assemble|bundle|build[:_-].*|.*[:_-]build|compile[:_-].*)$/;

/** Did this command line run tests? */
export function isTestRun(analysis: Analysis | null): boolean {
  return analysis?.commands.some(runsTests) ?? false;
}

/**
 * Does the exit code of this command line say whether its tests passed? `cargo test | tail` exits with that of `tail`.
 * Rules and the history ask about the same line, and most lines end in one of a few commands.
 */
export const exitCodeTellsTests: (command: string) => boolean = rememberText(
  (command) => decidingCommands(command).some(endsInTests),
  64,
);

const endsInTests = rememberText((part): boolean => {
  const { commands } = analyse(part);
  return commands.some(
    (one, index) =>
      runsTests(one) &&
      // What a string was parsed for, as in `bash -c '…'`, decides only at its end.
      (one.depth === 0 ||
        (index === commands.length - 1 && (one.pipeline?.index ?? 0) === (one.pipeline?.size ?? 1) - 1)),
  );
}, 64);

/** Did this command line build something? */
export function isBuild(analysis: Analysis | null): boolean {
  return analysis?.commands.some(builds) ?? false;
}

function runsTests(command: SimpleCommand): boolean {
  if (command.tool === null) return false;
  const purpose = purposeOf(command.tool);
  if (purpose === undefined) return TEST_SCRIPT.test(scriptOf(command));
  if (!isByWord(purpose)) return purpose === 'test';
  return (
    words(command).some((word) => TEST_WORD.test(word)) ||
    isListed(command, purpose, 'test') ||
    TEST_SCRIPT.test(scriptOf(command)) ||
    runnerIn(words(command)) ||
    command.options.some(
      ({ name, value }) => name === '--test' || (name === '-m' && TEST_WORD.test(value?.text ?? '')),
    )
  );
}

function builds(command: SimpleCommand): boolean {
  if (command.tool === null) return false;
  const purpose = purposeOf(command.tool);
  if (!isByWord(purpose)) return purpose === 'build';
  const given = words(command);
  // `make` alone makes the first target, which is the product.
  if (purpose === 'by-target' && given.length === 0) return true;
  return (
    given.some((word) => BUILD_WORD.test(word)) ||
    isListed(command, purpose, 'build') ||
    command.options.some(({ name, value }) => name === '-m' && BUILD_WORD.test(value?.text ?? ''))
  );
}

/** Whether the program's file lists how the line begins. */
function isListed(command: SimpleCommand, purpose: WordPurpose, wanted: 'test' | 'build'): boolean {
  const listed = typeof purpose === 'string' ? [] : (purpose[wanted] ?? []);
  const [first = '', second = ''] = words(command);
  return listed.some((line) => line === first || line === `${first} ${second}`);
}

const RUNS = /^(?:run|exec|x|dlx)$/;

/** A package manager that runs a test program: `yarn jest`, `pnpm exec vitest`. */
function runnerIn([first = '', second = '']: readonly string[]): boolean {
  return purposeOf(RUNS.test(first) ? second : first) === 'test';
}

/** Scripts named after what they do: `run_tests.sh`, `test.sh`, `run-tests`. */
const TEST_SCRIPT =
  /^(?:run[-_.]?)?(?:(?:unit|all|integration|e2e)[-_.])?(?:tests?|specs?)(?:[-_.](?:unit|all|integration|e2e))?(?:\.(?:sh|bash|zsh|py|js|mjs|ts|rb|php|ps1|bat|cmd))?$/;

/** The name of a file that is run: by its path, or by the shell before it; empty if it is not one. */
function scriptOf({ argv, operands, tool }: SimpleCommand): string {
  const isShell = tool !== null && SHELLS.includes(tool);
  const path = isShell ? operands[0]?.text : argv[0]?.text;
  return isShell || path?.includes('/') ? (path?.split('/').at(-1) ?? '') : '';
}

type WordPurpose = Exclude<Purpose, 'test' | 'build'>;

const isByWord = (purpose: Purpose | undefined): purpose is WordPurpose =>
  purpose !== undefined && purpose !== 'test' && purpose !== 'build';

function words({ sub, operands }: SimpleCommand): string[] {
  return [...sub, ...operands.map(({ text }) => text ?? '')].slice(0, 2);
}
