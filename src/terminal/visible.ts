/**
 * Characters that a terminal acts on instead of showing them, or that show as nothing: controls, escapes, what changes
 * the direction of a line, and what takes no room (but for the sign that makes a picture of a character). From foreign
 * text none of them may reach a terminal.
 */
const INVISIBLE = /\r\n|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?!\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

const TAB = '    ';
const SPACE_CODE = 32;
/** ␀, the first of the pictures of control characters. */
const FIRST_PICTURE = 0x2400;

/**
 * Only visible characters and line breaks. JSON stays the same JSON: its strings have no raw control characters, and
 * everything else becomes an escape.
 */
export function visible(text: string): string {
  return text.replace(INVISIBLE, shown);
}

function shown(character: string): string {
  if (character === '\n' || character === '\r\n') return '\n';
  if (character === '\t') return TAB;
  const code = character.charCodeAt(0);
  if (code < SPACE_CODE) return String.fromCharCode(FIRST_PICTURE + code);
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** The same on one line: a line break in a name must not start a line that looks like ours. */
export function visibleLine(text: string): string {
  return visible(terminalLine(text));
}

/** A line assembled from foreign parts, as one line. */
export function terminalLine(text: string): string {
  return text.replaceAll(/[\n\r]+/g, ' ');
}
