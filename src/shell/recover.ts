import type { Reentry } from './reentry.ts';
import { OVER_BUDGET, type Walk } from './walk.ts';
import { makeWord } from './word.ts';

const MAX_SCANNED = 4096;
const MAX_WORDS = 60;
const MAX_PIECES = 40;

/**
 * The words of a text that is not a command line, cut at everything that could separate commands. Quotes are
 * ignored: where they do not close, nobody knows what is inside. Only rules that stop something may use the result.
 */
export function scanWords(walk: Walk, reentry: Reentry, text: string): void {
  const pieces = text.slice(0, MAX_SCANNED).split(/[\n;&|()`{}]+|\$\(/, MAX_PIECES);
  const seen = new Set(walk.commands.map((command) => command.argv.map((word) => word.template).join(' ')));
  for (const piece of pieces) {
    const words = piece
      .replace(/['"\\]/g, '')
      .trim()
      .split(/\s+/, MAX_WORDS);
    if (words[0] === '' || seen.has(words.join(' '))) continue;
    try {
      reentry.argv(
        walk,
        words.map((word) => makeWord(word, word)),
        { guessed: true },
      );
    } catch (problem) {
      if (problem !== OVER_BUDGET) walk.fail('unanalysable: the analysis broke');
      return;
    }
  }
}
