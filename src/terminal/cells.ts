/** Characters two columns wide: East Asian ones and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const PLAIN = /^[\x20-\x7e]*$/;

/** Width of a text in terminal columns. */
export function cellsOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let cells = 0;
  for (const sign of text) cells += cellOf(sign);
  return cells;
}

/** The start of a text that fits into this many columns. */
export function firstCells(text: string, most: number): string {
  if (PLAIN.test(text)) return text.slice(0, Math.max(0, most));
  let cells = 0;
  let end = 0;
  for (const sign of text) {
    cells += cellOf(sign);
    if (cells > most) break;
    end += sign.length;
  }
  return text.slice(0, end);
}

/** Cuts a text to this many columns, with an ellipsis. */
export function cutCells(text: string, most: number): string {
  if (cellsOf(text) <= most) return text;
  return most < 1 ? '' : `${firstCells(text, most - 1)}…`;
}

/** The same with the middle cut, because both ends of a branch or path matter. */
export function cutMiddle(text: string, most: number): string {
  if (cellsOf(text) <= most) return text;
  if (most < 5) return cutCells(text, most);
  const head = firstCells(text, Math.ceil((most - 1) / 2));
  const signs = [...text];
  let tail = '';
  while (signs.length > 0) {
    const longer = `${signs.pop()}${tail}`;
    if (cellsOf(head) + 1 + cellsOf(longer) > most) break;
    tail = longer;
  }
  return `${head}…${tail}`;
}

function cellOf(sign: string): number {
  if (/\p{M}/u.test(sign)) return 0;
  return WIDE.test(sign) ? 2 : 1;
}
