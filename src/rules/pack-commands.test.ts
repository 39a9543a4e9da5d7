import { expect, test } from 'vitest';
import { analyse } from '../shell/analyse.ts';
import { commandMatches, parseCommandPattern } from './match/command.ts';
import { listed } from './match/word-match.ts';
import { openPack, packNames } from './pack.ts';

/** Lines that match a pattern, with every spelling of option values. */
function linesFor(pattern: string): readonly string[] {
  const plain = pattern.replaceAll(/\{([^{},]*)[^{}]*\}/g, '$1').replaceAll(/\*+|\?/g, 'x');
  return [plain, plain.replaceAll(/ (--?[\w-]+)=/g, ' $1 ')];
}

function isMatched(pattern: string, line: string): boolean {
  const parsed = parseCommandPattern(pattern);
  return !('problem' in parsed) && analyse(line, {}).commands.some((one) => commandMatches(parsed, one));
}

test.each(packNames())('every command that %s names can match', (name) => {
  const patterns = openPack(name, false, {})
    .rules()
    .flatMap(({ written }) => written.flatMap(({ command }) => listed(command) ?? []));
  const missed = patterns.flatMap((pattern) => linesFor(pattern).filter((line) => !isMatched(pattern, line)));
  expect(missed).toEqual([]);
});
