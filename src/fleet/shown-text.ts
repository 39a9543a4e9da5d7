import { beginningOf, oneLine } from '../model/text.ts';
import { visibleLine } from '../terminal/visible.ts';

/** Of what is made visible, a sign may become six. */
const SPARE = 8;

/** Words of another machine, for display: one line, not longer than this, and nothing in it but what can be seen. */
export function shownText(given: string, most: number): string {
  return oneLine(visibleLine(beginningOf(given, most * SPARE)), most);
}
