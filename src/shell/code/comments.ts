/** How comments start in a language: to the end of the line, or between two marks. */
export type Comments = 'hash' | 'slashes' | 'dashes' | 'slashes-and-hash';

const LINE: Readonly<Record<Comments, RegExp>> = {
  hash: /#/y,
  slashes: /\/\//y,
  dashes: /--/y,
  'slashes-and-hash': /\/\/|#/y,
};

/** Where something other than plain text may begin: quotes, a backslash, or the start of a comment. */
const NEXT: Readonly<Record<Comments, RegExp>> = {
  hash: /["'`\\#]/g,
  slashes: /["'`\\/]/g,
  dashes: /["'`\\-]/g,
  'slashes-and-hash': /["'`\\/#]/g,
};

/** Replaces comments with blanks, so that every other character keeps its position. */
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
  // `$#list`, `s#a#b#` and `http://` do not start comments: a comment mark stands alone.
  if (!line.test(code) || !/[\s;{}()]/.test(code.charAt(at - 1) || ' ')) return at;
  const end = code.indexOf('\n', at);
  return end < 0 ? code.length : end;
}

/** Position after the closing quote, or after the opening one if the string is not closed. */
function endOfString(code: string, at: number, quote: string): number {
  const mark = code.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  for (let i = at + mark.length; i < code.length; i++) {
    if (code[i] === '\\') i++;
    else if (code.startsWith(mark, i)) return i + mark.length;
    else if (code[i] === '\n' && mark.length === 1 && quote === "'") return at + 1;
  }
  return at + 1;
}
