import { isTerminal } from './output.ts';
import { shownLength } from './style.ts';

/** How many characters a line may have; what is piped is read by programs, and has lines as long as they are. */
export function textWidth(): number {
  return isTerminal() ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
}

/**
 * A paragraph in lines that break between words, not where the terminal happens to end. A word that is longer than a
 * line, such as a link, stays whole: it can be copied then.
 */
export function folded(text: string, hang = 0, width: number = textWidth()): string {
  if (shownLength(text) <= width) return text;
  const indent = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let line = '';
  for (const word of text.slice(indent.length).split(' ')) {
    const start = lines.length === 0 ? indent : ' '.repeat(hang);
    const longer = line === '' ? `${start}${word}` : `${line} ${word}`;
    if (line === '' || shownLength(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = `${' '.repeat(hang)}${word}`;
    }
  }
  return [...lines, line].join('\n');
}
