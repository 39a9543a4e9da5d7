import { parse, type TomlTable } from 'smol-toml';
import { unreadable } from '../setup/settings-json.ts';

/** One table with a header of its own, by its place in the text. */
interface TableText {
  readonly path: readonly string[];
  /** Of the header line. */
  readonly start: number;
  /** Behind the last line of the header's own keys. */
  readonly end: number;
}

// What a statement can have in it that hides a bracket, a hash or a line end.
const TOKEN =
  /"""(?:\\[\s\S]|(?!""")[^\\])*"{3,5}|'''(?:(?!''')[\s\S])*'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[[\]{}]|\n|[^"'#[\]{}\n]+/g;

/**
 * A TOML file under edit. It is read by a parser, but changed as text, one table with a header at a time, so that
 * comments, order and layout stay as the user has them.
 */
export class TomlDocument {
  readonly #path: string;
  #text: string;
  #value: TomlTable;

  /** Throws SETTINGS_UNREADABLE. */
  constructor(text: string, path: string) {
    this.#path = path;
    this.#text = text;
    this.#value = this.#parse(text);
  }

  toString(): string {
    return this.#text;
  }

  get value(): TomlTable {
    return this.#value;
  }

  /** Sets one text in a table, which is added at the end of the file if it is not there. */
  set(path: readonly string[], key: string, value: string): void {
    const line = `${key} = ${quoted(value)}`;
    const table = this.#find(path);
    if (table === null) {
      if (this.#at(path) !== undefined)
        throw unreadable(this.#path, `has ${path.join('.')} in a form that Hookline does not edit`);
      const gap = this.#text === '' ? '' : this.#text.endsWith('\n') ? this.#eol : this.#eol + this.#eol;
      this.#update(`${this.#text}${gap}[${path.map(word).join('.')}]${this.#eol}${line}${this.#eol}`);
      return;
    }
    const body = this.#text.slice(table.start, table.end);
    const existing = new RegExp(`^([ \\t]*)${key}[ \\t]*=[ \\t]*(?:"[^"\\n]*"|'[^'\\n]*')`, 'm');
    const changed = existing.test(body)
      ? body.replace(existing, (_, indent: string) => indent + line)
      : body.replace(/^[^\n]*(?:\n|$)/, (header) => `${header.trimEnd()}${this.#eol}${line}${this.#eol}`);
    this.#update(this.#text.slice(0, table.start) + changed + this.#text.slice(table.end));
  }

  /** Takes out a table with its header, its keys and the empty line before it. */
  remove(path: readonly string[]): void {
    const table = this.#find(path);
    if (table === null) return;
    const before = this.#text.slice(0, table.start).replace(/\r?\n[ \t]*(\r?\n)$/, '$1');
    this.#update(before + this.#text.slice(table.end));
  }

  /** Gives a table another last name and leaves everything else of it. */
  rename(path: readonly string[], name: string): void {
    const table = this.#find(path);
    if (table === null) return;
    const body = this.#text.slice(table.start, table.end);
    const header = `[${[...path.slice(0, -1), name].map(word).join('.')}]`;
    const renamed = body.replace(
      /^([ \t]*)\[(?:"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[^"'\]\n])*\]/,
      (_, indent) => indent + header,
    );
    this.#update(this.#text.slice(0, table.start) + renamed + this.#text.slice(table.end));
  }

  get #eol(): string {
    return this.#text.includes('\r\n') ? '\r\n' : '\n';
  }

  #at(path: readonly string[]): unknown {
    let value: unknown = this.#value;
    for (const step of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
      value = Object.entries(value).find(([key]) => key === step)?.[1];
    }
    return value;
  }

  #find(path: readonly string[]): TableText | null {
    return tablesOf(this.#text).find((table) => samePath(table.path, path)) ?? null;
  }

  #update(text: string): void {
    this.#value = this.#parse(text);
    this.#text = text;
  }

  #parse(text: string): TomlTable {
    try {
      return parse(text);
    } catch (cause) {
      throw unreadable(this.#path, 'is not valid TOML', cause);
    }
  }
}

/** The tables that have a header, in their order. The text is valid TOML. */
function tablesOf(text: string): TableText[] {
  const tables: { path: readonly string[]; start: number; end: number }[] = [];
  for (const { start, end } of statements(text)) {
    const statement = text.slice(start, end);
    const header = /^[ \t]*\[(?!\[)/.test(statement) ? headerPath(statement) : null;
    if (header !== null) tables.push({ path: header, start, end });
    // An array of tables ends the table before it, and is none itself.
    else if (/^[ \t]*\[\[/.test(statement)) tables.push({ path: [], start, end });
    else {
      const last = tables.at(-1);
      if (last !== undefined) last.end = end;
    }
  }
  return tables;
}

/** Headers and key-value pairs, each with its line end; comments and empty lines are none. */
function statements(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let start = 0;
  let depth = 0;
  let blank = true;
  const close = (end: number) => {
    if (!blank) found.push({ start, end });
    start = end;
    blank = true;
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '\n' && depth === 0) close(index + 1);
    else if ('[{'.includes(token)) depth += 1;
    else if (']}'.includes(token)) depth -= 1;
    if (token !== '\n' && !token.startsWith('#') && token.trim() !== '') blank = false;
  }
  close(text.length);
  return found;
}

function headerPath(header: string): readonly string[] | null {
  // The parser knows best what a header says: of this one alone it makes nested empty tables.
  let value: unknown = parse(header);
  const path: string[] = [];
  for (;;) {
    const [entry] = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (entry === undefined) return path;
    path.push(entry[0]);
    value = entry[1];
  }
}

function samePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((step, at) => step === b[at]);
}

function word(step: string): string {
  return /^[\w-]+$/.test(step) ? step : quoted(step);
}

function quoted(text: string): string {
  // A JSON string is a TOML string, but for one character that TOML wants escaped.
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
