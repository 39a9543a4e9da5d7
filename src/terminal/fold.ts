import { isTerminal } from './output.ts';
import { shownLength } from './style.ts';

/** Maximum line length. Piped output is read by programs, so its lines are not limited. */
export function textWidth(): number {
  return isTerminal() ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
}

/** Wraps a paragraph between words. A word longer than a line, such as a link, stays whole so that it can be copied. */
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
