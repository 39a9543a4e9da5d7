import { beginningOf, oneLine } from '../model/text.ts';
import { visibleLine } from '../terminal/visible.ts';

/** One escaped character may become six. */
const SPARE = 8;

/** Text of another machine for display: one line, limited in length, and only visible characters. */
export function shownText(given: string, most: number): string {
  return oneLine(visibleLine(beginningOf(given, most * SPARE)), most);
}
