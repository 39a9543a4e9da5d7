import type { Reentry } from './reentry.ts';
import { OVER_BUDGET, type Walk } from './walk.ts';
import { makeWord } from './word.ts';

const MAX_SCANNED = 32 * 1024;
const MAX_WORDS = 400;
const MAX_PIECES = 400;
const SEPARATORS = /[\n;&|()`{}]+|\$\(/;

/**
 * Splits text that is not a command line at everything that could separate commands. Ignores quotes, because unbalanced
 * ones make their content unknown. Only rules that deny or ask may use the result.
 */
export function scanWords(walk: Walk, reentry: Reentry, text: string): void {
  const pieces = text.slice(0, MAX_SCANNED).split(SEPARATORS);
  const isCut = text.length > MAX_SCANNED || pieces.splice(MAX_PIECES).length > 0;
  if (isCut) walk.exceed('unanalysable: not read to its end');
  const seen = new Set(walk.commands.map((command) => command.argv.map((word) => word.template).join(' ')));
  for (const piece of pieces) {
    const words = piece
      .replace(/['"\\]/g, '')
      .trim()
      .split(/\s+/);
    if (words.splice(MAX_WORDS).length > 0) walk.exceed('unanalysable: not read to its end');
    if (words[0] === '' || seen.has(words.join(' '))) continue;
    try {
      reentry.argv(
        walk,
        words.map((word) => makeWord(word, word)),
        { guessed: true },
      );
    } catch (problem) {
      walk.exceed(
        problem === OVER_BUDGET ? 'unanalysable: too much to follow' : 'unanalysable: the analysis broke',
      );
      return;
    }
  }
}
