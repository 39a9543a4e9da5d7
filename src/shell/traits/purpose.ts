import { entryFor } from '../../knowledge/load.ts';
import type { Entry } from '../../knowledge/program.ts';
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
  if (!isByWord(purpose)) return purpose === 'test';
  return (
    words(command).some((word) => TEST_WORD.test(word)) ||
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
  return given.some((word) => BUILD_WORD.test(word));
}

const isByWord = (purpose: Purpose | undefined): boolean => purpose === 'by-word' || purpose === 'by-target';

function words({ sub, operands }: SimpleCommand): string[] {
  return [...sub, ...operands.map(({ text }) => text ?? '')].slice(0, 2);
}
