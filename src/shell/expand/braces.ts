const MAX_RESULTS = 128;
const MAX_TOTAL = 8192;

/**
 * The expansions of a word with braces, still quoted like the source; null if there are too many. Skips quotes and
 * substitutions, where braces are text.
 */
export function expandBraces(source: string): string[] | null {
  let done: string[] = [''];
  let rest = source;
  for (;;) {
    const group = findGroup(rest);
    if (group === null) return done.map((text) => text + rest);
    const before = rest.slice(0, group.start);
    const choices: string[] = [];
    for (const item of group.items) {
      const inner = expandBraces(item);
      if (inner === null || choices.length + inner.length > MAX_RESULTS) return null;
      choices.push(...inner);
    }
    if (done.length * choices.length > MAX_RESULTS) return null;
    done = done.flatMap((text) => choices.map((choice) => text + before + choice));
    if (done.length * (done[0]?.length ?? 0) > MAX_TOTAL) return null;
    rest = rest.slice(group.end);
  }
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly items: readonly string[];
}

function findGroup(text: string): Group | null {
  for (let i = 0; i < text.length; i++) {
    const next = skipQuoted(text, i);
    if (next !== i) {
      i = next - 1;
    } else if (text[i] === '{' && text[i - 1] !== '$') {
      const group = groupAt(text, i);
      if (group) return group;
    }
  }
  return null;
}

function groupAt(text: string, start: number): Group | null {
  const commas: number[] = [];
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const next = skipQuoted(text, i);
    if (next !== i) i = next - 1;
    else if (text[i] === '{') depth++;
    else if (text[i] === ',' && depth === 1) commas.push(i);
    else if (text[i] === '}' && --depth === 0) {
      const items = commas.length > 0 ? split(text, start, commas, i) : range(text.slice(start + 1, i));
      return items === null ? null : { start, end: i + 1, items };
    }
  }
  return null;
}

function split(text: string, start: number, commas: readonly number[], end: number): string[] {
  const items: string[] = [];
  let from = start + 1;
  for (const comma of [...commas, end]) {
    items.push(text.slice(from, comma));
    from = comma + 1;
  }
  return items;
}

function range(text: string): string[] | null {
  const found = /^(-?\d{1,9}|[a-zA-Z])\.\.(-?\d{1,9}|[a-zA-Z])(?:\.\.(-?\d{1,4}))?$/.exec(text);
  const [, from = '', to = '', by = '1'] = found ?? [];
  if (!found) return null;
  const letters = /[a-zA-Z]/.test(from);
  if (letters !== /[a-zA-Z]/.test(to)) return null;
  const first = letters ? from.charCodeAt(0) : Number(from);
  const last = letters ? to.charCodeAt(0) : Number(to);
  const step = Math.max(1, Math.abs(Number(by)));
  const items: string[] = [];
  for (let i = 0; i <= Math.abs(last - first) && items.length <= MAX_RESULTS; i += step) {
    const value = last >= first ? first + i : first - i;
    items.push(letters ? String.fromCharCode(value) : String(value));
  }
  return items;
}

/** The end of the quotation, escape or substitution at `i`, or `i` if none begins there. */
function skipQuoted(text: string, i: number): number {
  const character = text[i];
  if (character === '\\') return i + 2;
  if (character === "'" || character === '"' || character === '`') {
    const close = text.indexOf(character, i + 1);
    return close < 0 ? text.length : close + 1;
  }
  if (character !== '$') return i;
  const opener = text[i + 1];
  const closer = opener === '{' ? '}' : opener === '(' ? ')' : null;
  if (closer === null || opener === undefined) return i;
  let depth = 0;
  for (let j = i + 1; j < text.length; j++) {
    if (text[j] === opener) depth++;
    else if (text[j] === closer && --depth === 0) return j + 1;
  }
  return text.length;
}
