/** An object literal in some language that looks like JSON: Python, JavaScript, shell with JSON in it, or a sketch of one. */
export interface LooseObject {
  readonly offset: number;
  readonly entries: ReadonlyMap<string, LooseValue>;
  /** Takes in the keys of another object. */
  readonly spread: boolean;
  /** The key, or the name, that it is the value of. */
  readonly under: string | null;
}

interface LooseValue {
  readonly offset: number;
  readonly text: string;
  /** When the value is an object. */
  readonly object: LooseObject | null;
  /** Objects somewhere in a value that is none itself. */
  readonly inside: readonly LooseObject[];
}

const MAX_DEPTH = 50;

/** Every object literal in a text, outer ones before inner ones. */
export function objectsIn(source: string): readonly LooseObject[] {
  // JSON inside a quoted string of a shell or a program; offsets stay what they are.
  return scan(source.replaceAll('\\"', ' "'), 0, source.length, 0);
}

function scan(text: string, from: number, to: number, depth: number): readonly LooseObject[] {
  const found: LooseObject[] = [];
  for (let at = text.indexOf('{', from); at !== -1 && at < to; at = text.indexOf('{', at)) {
    const read = readObject(text, at, nameBefore(text, at), depth);
    if (read && (read.object.entries.size > 0 || read.object.spread)) {
      collect(read.object, found);
      at = read.end;
    } else {
      at += 1;
    }
  }
  return found;
}

/** The text inside quotes, or the text itself. */
export function unquoted(text: string): string {
  return (/^(["'`])([\s\S]*)\1$/.exec(text.trim())?.[2] ?? text).trim();
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function collect(object: LooseObject, into: LooseObject[]): void {
  into.push(object);
  for (const { object: inner, inside } of object.entries.values()) {
    if (inner) collect(inner, into);
    into.push(...inside);
  }
}

function nameBefore(text: string, at: number): string | null {
  return /(\w+)["']?\s*[=:]\s*$/.exec(text.slice(Math.max(0, at - 60), at))?.[1] ?? null;
}

interface Read {
  readonly object: LooseObject;
  readonly end: number;
}

const KEY = /\s*(?:"([^"\n]*)"|'([^'\n]*)'|([A-Za-z_$][\w$]*))\??\s*:/y;
// A remark ends where the object does: examples are often squeezed into one line.
const SKIP = /(?:[\s,;]|\/\/[^\n}]*|\/\*[\s\S]*?\*\/|#[^\n]*)*/y;

function readObject(text: string, start: number, under: string | null, depth: number): Read | null {
  if (depth > MAX_DEPTH) return null;
  const entries = new Map<string, LooseValue>();
  let spread = false;
  let at = start + 1;
  for (;;) {
    at = skip(text, at);
    if (text[at] === '}') return { object: { offset: start, entries, spread, under }, end: at + 1 };
    if (text.startsWith('...', at) || text.startsWith('**', at)) {
      spread = true;
      at = endOfValue(text, at);
      continue;
    }
    KEY.lastIndex = at;
    const match = KEY.exec(text);
    if (!match) return null;
    const key = (match[1] ?? match[2] ?? match[3] ?? '').trim();
    const from = skip(text, KEY.lastIndex);
    const inner = text[from] === '{' ? readObject(text, from, key, depth + 1) : null;
    const end = inner ? endOfValue(text, inner.end) : endOfValue(text, from);
    if (end <= from) return null;
    const inside = inner ? [] : scan(text, from, end, depth + 1);
    entries.set(key, {
      offset: at,
      text: text.slice(from, end).trim(),
      object: inner?.object ?? null,
      inside,
    });
    at = end;
  }
}

function skip(text: string, at: number): number {
  SKIP.lastIndex = at;
  SKIP.exec(text);
  return Math.max(SKIP.lastIndex, at);
}

const TYPE_ARGUMENTS = /^<[^<>;\n]*(?:<[^<>;\n]*>[^<>;\n]*)*>/;

/** Up to the comma or bracket that ends a value. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"' || char === '`' || (char === "'" && !/\w/.test(text[at - 1] ?? ''))) {
      const close = text.indexOf(char, at + 1);
      const line = text.indexOf('\n', at);
      // An apostrophe in a remark closes nothing.
      if (close !== -1 && (line === -1 || close < line)) at = close;
    } else if (char === '<') {
      at += (TYPE_ARGUMENTS.exec(text.slice(at, at + 200))?.[0].length ?? 1) - 1;
    } else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (
      (char === ',' || char === '\n' || char === ';') &&
      depth === 0 &&
      (char !== '\n' || endsHere(text, at))
    ) {
      return at;
    } else if (char === '/' && text[at + 1] === '/' && depth === 0) return at;
  }
  return text.length;
}

/** A line end ends a value where the next line begins with a key or closes the object. */
function endsHere(text: string, at: number): boolean {
  const rest = text.slice(at, at + 200);
  return /^\s*(?:["']?[\w$]+["']?\??\s*:|\}|\/\/)/.test(rest);
}
