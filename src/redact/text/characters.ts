/** What a character can be part of, as bits, so that one look at a table answers every question about it. */
export const DIGIT = 1;
export const UPPER = 2;
export const LOWER = 4;
/** Letters, digits and `_`. */
export const WORD = 8;
/** What stands in the middle of a name: words joined by `-` and `.`. */
export const JOINT = 16;
export const BLANK = 32;
export const NEWLINE = 64;
export const QUOTE = 128;
export const HEX = 256;
/** Base64 for URLs: words and `-`. */
export const URL_SAFE = 512;
/** What secrets, digests and ids are made of: base64 of both kinds. */
export const TOKEN = 1024;
/** Hashes of passwords. */
export const CRYPT = 2048;
/** Ends a value that has no quotes, if what follows agrees. */
export const DELIMITER = 4096;
/** Ends the host of a URL. */
export const AUTHORITY_END = 8192;
/** May follow a name that has a value. */
export const AFTER_NAME = 16384;
/** Client secrets that have `~` and `.`. */
export const TILDE = 32768;
export const BACKSLASH = 65536;
/** In the lines above a key's own. */
export const HEADER = 131072;
export const UNDERSCORE = 262144;
/** Ends a command. */
export const COMMAND_END = 524288;

export const ALNUM: number = DIGIT | UPPER | LOWER;
export const LETTER: number = UPPER | LOWER;
export const SPACE: number = BLANK | NEWLINE;

const SMALL = 'abcdefghijklmnopqrstuvwxyz';
const CAPITALS = SMALL.toUpperCase();
const DIGITS = '0123456789';
export const NEWLINES = '\n\r\u2028\u2029';

/** One entry for every character there is: text in any language is read without a bounds check. */
export const CLASSES: Uint32Array = new Uint32Array(65_536);

function mark(characters: string, bits: number): void {
  for (const character of characters) {
    const code = character.charCodeAt(0);
    CLASSES[code] = (CLASSES[code] ?? 0) | bits;
  }
}

mark(SMALL, LOWER);
mark(CAPITALS, UPPER);
mark(DIGITS, DIGIT);
mark(`${SMALL}${CAPITALS}${DIGITS}_`, WORD | URL_SAFE | TOKEN | TILDE);
mark(`${SMALL}${CAPITALS}${DIGITS}./`, CRYPT);
mark('-', URL_SAFE | TOKEN | TILDE);
mark('.~', TILDE);
mark('+/=', TOKEN);
mark(`${DIGITS}abcdefABCDEF`, HEX);
mark('-.', JOINT);
/** The escape that begins a colour is as good as a blank. */
mark(' \t\v\f\u00a0\u001b', BLANK);
mark(NEWLINES, NEWLINE);
mark('"\'`', QUOTE);
mark('\\', BACKSLASH);
mark(':,', HEADER);
mark('_', UNDERSCORE);
mark('|;&\n\r"\'`\\', COMMAND_END);
mark(',;&)]}|<>', DELIMITER);
mark('/?#<> \t\v\f\n\r"\'`\\', AUTHORITY_END);
mark(': \t\n\r="\'`\\>]?!(,%*|\u001b：', AFTER_NAME);

/** How many zeros stand behind the characters of a text: a look at the next ones needs no check. */
const PADDING = 4;

/** The characters of a text as numbers, and zeros behind them. */
export function codesOf(text: string): Uint16Array {
  // Small ones come from Node's pool, which is aligned and a fraction of the time of a buffer of their own.
  const bytes = Buffer.allocUnsafe((text.length + PADDING) * 2);
  const codes = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length + PADDING);
  bytes.write(text, 'utf16le');
  for (let at = text.length; at < codes.length; at++) codes[at] = 0;
  return codes;
}
