// The command language of tmux, as far as needed to split words and commands.

/** Quotes, escapes, variables, and braces around commands. */
const PIECE =
  /'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?|(\\(?:[0-7]{3}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[\s\S]))|\$\{?(\w+)\}?|[^\s;'"\\$]|\$/y;
const ASSIGNMENT = /^(?:%hidden\s+)?([A-Za-z_]\w*)=([\s\S]*)$/;

/** The commands of a text, as words. A command in braces is one word, without the braces. */
export function tmuxCommands(text: string): readonly (readonly string[])[] {
  const variables = new Map<string, string>();
  const commands: string[][] = [];
  let words: string[] = [];
  const end = () => {
    const [, name, value = ''] = ASSIGNMENT.exec(words.join(' ')) ?? [];
    if (name !== undefined) variables.set(name, value);
    else if (words.length > 0) commands.push(words);
    words = [];
  };
  const joined = text.replace(/\\\r?\n/g, '');
  for (let at = 0; at < joined.length; ) {
    const sign = joined.charAt(at);
    if (sign === '\n' || sign === ';') {
      end();
      at += 1;
    } else if (/\s/.test(sign)) at += 1;
    else if (sign === '#' && !/[({]/.test(joined.charAt(at + 1))) at = endOfLine(joined, at);
    else if (sign === '{') {
      const close = closingBrace(joined, at);
      words.push(joined.slice(at + 1, close));
      at = close + 1;
    } else {
      const [word, next] = wordAt(joined, at, variables);
      words.push(word);
      at = next;
    }
  }
  end();
  return commands;
}

/** Splits words from a shell at a separate `;`, or at one that ends a word. */
export function splitCommands<W extends { readonly template: string }>(
  words: readonly W[],
  without: (word: W) => W,
): readonly (readonly W[])[] {
  const commands: W[][] = [[]];
  for (const word of words) {
    const ends = word.template.endsWith(';') && !word.template.endsWith('\\;');
    const own = ends ? without(word) : word;
    if (own.template !== '' || !ends) commands.at(-1)?.push(own);
    if (ends) commands.push([]);
  }
  return commands.filter(({ length }) => length > 0);
}

/** The lines in `#(line)` of a tmux format; null for an unclosed one. */
export function formatLines(text: string): readonly (string | null)[] {
  const lines: (string | null)[] = [];
  for (let from = text.indexOf('#('); from >= 0; from = text.indexOf('#(', from + 2)) {
    let depth = 1;
    let at = from + 2;
    for (; at < text.length && depth > 0; at++) {
      if (text.charAt(at) === '(') depth += 1;
      if (text.charAt(at) === ')') depth -= 1;
    }
    lines.push(depth === 0 ? text.slice(from + 2, at - 1) : null);
  }
  return lines;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}

function closingBrace(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '\\') at += 1;
    else if (sign === "'" || sign === '"') at = closingQuote(text, at);
    else if (sign === '{') depth += 1;
    else if (sign === '}' && --depth === 0) return at;
  }
  return text.length;
}

/** Only in double quotes can a backslash escape the quote. */
function closingQuote(text: string, from: number): number {
  const quote = text.charAt(from);
  for (let at = from + 1; at < text.length; at++) {
    if (text.charAt(at) === quote) return at;
    if (quote === '"' && text.charAt(at) === '\\') at += 1;
  }
  return text.length;
}

/** Decodes `\150`, `\u0068` and `\e` as tmux 3.3 does. */
function decoded(text: string): string {
  return text.replace(ESCAPE, (_, octal?: string, four?: string, eight?: string, sign = '') => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    const code = Number.parseInt(four ?? eight ?? '', 16);
    if (!Number.isNaN(code)) return code > 0x10ffff ? '' : String.fromCodePoint(code);
    return ESCAPED[sign] ?? sign;
  });
}

const ESCAPE = /\\(?:([0-7]{3})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/g;
const ESCAPED: Readonly<Record<string, string>> = { e: '\u001b', n: '\n', r: '\r', s: ' ', t: '\t' };

function wordAt(text: string, from: number, variables: ReadonlyMap<string, string>): [string, number] {
  const filled = (part: string) =>
    part.replace(/\$\{?(\w+)\}?/g, (whole, name: string) => variables.get(name) ?? whole);
  let word = '';
  PIECE.lastIndex = from;
  let next = from;
  for (let found = PIECE.exec(text); found !== null; found = PIECE.exec(text)) {
    const [whole, single, double, escaped, name] = found;
    word +=
      single ??
      (double === undefined ? undefined : decoded(filled(double))) ??
      (escaped === undefined ? undefined : decoded(escaped)) ??
      (name === undefined ? whole : (variables.get(name) ?? whole));
    next = PIECE.lastIndex;
  }
  return [word, Math.max(next, from + 1)];
}
