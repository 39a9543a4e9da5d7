/** Calls that run what they are given, or put it where something runs it. */
const TAKES_CODE =
  /(?:exec\w*|spawn\w*|fork|system|popen\w*|(?:^|\.)run\w*|(?:^|\.)call|check_\w+|get(?:status)?output|eval|Function|(?<!re\.)compile|shell\w*|(?:^|\.)(?:sh|bash|cmd)|Command|write\w*|append\w*|setTimeout)$/i;
const NAME = /[\w$.]+$/;
const DEEPEST = 200;

/**
 * A program in which calls that are only mentioned, in data or explanations, are made unreadable as calls: a list of
 * dangerous lines is not dangerous. Keeps texts that a call runs.
 */
export function withoutMentions(code: string, comment: '#' | '//'): string {
  // What each open bracket is of: a call that runs its text, a block of code, or anything else.
  const open: ('code' | 'block' | 'other')[] = [];
  let out = '';
  let from = 0;
  let at = 0;
  while (at < code.length) {
    const sign = code.charAt(at);
    if (sign === '"' || sign === "'" || sign === '`') {
      const end = endOfText(code, at, sign);
      if (!isRun(open)) {
        out += code.slice(from, at) + code.slice(at, end).replace(/(\w)(?=\s*\()/g, '$1\u2060');
        from = end;
      }
      at = end;
    } else if (code.startsWith(comment, at) && (comment === '//' || code.charAt(at - 1) !== '$')) {
      const end = code.indexOf('\n', at);
      at = end < 0 ? code.length : end;
    } else {
      if (open.length < DEEPEST && (sign === '(' || sign === '[' || sign === '{'))
        open.push(bracketAt(code, at, sign));
      else if (sign === ')' || sign === ']' || sign === '}') open.pop();
      at += 1;
    }
  }
  return from === 0 ? code : out + code.slice(from);
}

function isRun(open: readonly string[]): boolean {
  for (let at = open.length - 1; at >= 0; at--) {
    if (open[at] === 'code') return true;
    if (open[at] === 'block') return false;
  }
  return false;
}

function bracketAt(code: string, at: number, sign: string): 'code' | 'block' | 'other' {
  const before = code.slice(Math.max(0, at - 40), at).trimEnd();
  if (sign === '{') return /(?:\)|=>|\b(?:else|try|do|finally))$/.test(before) ? 'block' : 'other';
  return sign === '(' && TAKES_CODE.test(NAME.exec(before)?.[0] ?? '') ? 'code' : 'other';
}

/** Behind the closing quotes; where there are none, behind the opening one. */
function endOfText(code: string, start: number, quote: string): number {
  const isTriple = quote !== '`' && code.startsWith(quote.repeat(3), start);
  const mark = isTriple ? quote.repeat(3) : quote;
  if (isTriple) {
    const end = code.indexOf(mark, start + 3);
    return end < 0 ? code.length : end + 3;
  }
  for (let at = start + 1; at < code.length; at++) {
    const sign = code.charAt(at);
    if (sign === '\\') at += 1;
    else if (sign === quote) return at + 1;
    else if (sign === '\n' && quote !== '`') return at;
  }
  return code.length;
}
