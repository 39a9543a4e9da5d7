/** Where comments begin in a language: to the end of the line, or between two marks. */
export type Comments = 'hash' | 'slashes' | 'dashes' | 'slashes-and-hash';

const LINE: Readonly<Record<Comments, RegExp>> = {
  hash: /#/y,
  slashes: /\/\//y,
  dashes: /--/y,
  'slashes-and-hash': /\/\/|#/y,
};

/** Where something may begin that is not a plain text: quotes, a backslash, or what a comment begins with. */
const NEXT: Readonly<Record<Comments, RegExp>> = {
  hash: /["'`\\#]/g,
  slashes: /["'`\\/]/g,
  dashes: /["'`\\-]/g,
  'slashes-and-hash': /["'`\\/#]/g,
};

/** The same text with blanks in place of its comments, so that every other character stays where it is. */
export function withoutComments(code: string, comments: Comments): string {
  const line = LINE[comments];
  const next = NEXT[comments];
  let out = '';
  let from = 0;
  let i = 0;
  for (;;) {
    next.lastIndex = i;
    const [character] = next.exec(code) ?? [];
    if (character === undefined) break;
    i = next.lastIndex - 1;
    if (character === '"' || character === "'" || character === '`') {
      i = endOfString(code, i, character);
      continue;
    }
    const end = endOfComment(code, i, line, comments);
    if (end > i) {
      out += code.slice(from, i) + code.slice(i, end).replace(/[^\n]/g, ' ');
      from = end;
      i = end;
    } else i += character === '\\' ? 2 : 1;
  }
  return from === 0 ? code : out + code.slice(from);
}

function endOfComment(code: string, at: number, line: RegExp, comments: Comments): number {
  if (comments.startsWith('slashes') && code.startsWith('/*', at)) {
    const end = code.indexOf('*/', at + 2);
    return end < 0 ? code.length : end + 2;
  }
  line.lastIndex = at;
  // `$#list`, `s#a#b#` and `http://` are not comments: those stand alone.
  if (!line.test(code) || !/[\s;{}()]/.test(code.charAt(at - 1) || ' ')) return at;
  const end = code.indexOf('\n', at);
  return end < 0 ? code.length : end;
}

/** Behind the closing quote; behind the opening one when there is none. */
function endOfString(code: string, at: number, quote: string): number {
  const mark = code.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  for (let i = at + mark.length; i < code.length; i++) {
    if (code[i] === '\\') i++;
    else if (code.startsWith(mark, i)) return i + mark.length;
    else if (code[i] === '\n' && mark.length === 1 && quote === "'") return at + 1;
  }
  return at + 1;
}
