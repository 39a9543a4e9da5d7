import { isUtf8 } from 'node:buffer';
import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { HooklineError } from '../../model/errors.ts';
import { parseJson } from '../../model/json.ts';
import { readRegularBytes } from '../../platform/bounded-files.ts';
import { fileFault } from '../../platform/file-fault.ts';
import { detectStyle, insertChild, removeChild, replaceNode } from './settings-json-text.ts';

export type JsonPath = readonly (string | number)[];

export interface SettingsOptions {
  /** For messages only. */
  readonly path: string;
  /** The client reads comments and trailing commas. Without it, what the client would refuse is refused here too. */
  readonly comments?: boolean;
}

/** The text of a settings file, or null where there is none. */
export function readSettings(path: string): string | null {
  let bytes: Buffer;
  try {
    bytes = readRegularBytes(path);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR'))
      return null;
    const fault = fileFault(cause);
    if (fault !== null) throw new HooklineError('SETTINGS_UNREADABLE', fault.message, { cause });
    throw unreadable(path, 'cannot be read', cause);
  }
  // Other encodings would come back as replacement characters, and be written back as such.
  if (!isUtf8(bytes)) throw unreadable(path, 'is not UTF-8 text');
  return bytes.toString('utf8');
}

/** The error for a file that Hookline leaves alone; `why` completes "<path> …". */
export function unreadable(path: string, why: string, cause?: unknown): HooklineError {
  return new HooklineError('SETTINGS_UNREADABLE', `${path} ${why}, so Hookline leaves it alone.`, {
    cause,
    hint: 'Correct the file (or move it away to start with an empty one) and run the command again.',
  });
}

/**
 * A JSON settings file under edit. Only the text of what changes is touched: indentation, line ends, byte order mark,
 * spelling of numbers and the end of the file stay as the user has them.
 */
export class SettingsDocument {
  readonly #options: SettingsOptions;
  readonly #mark: string;
  #text: string;
  #root: Node | null;

  /** Throws SETTINGS_UNREADABLE. An empty text counts as an empty object until something is put in. */
  constructor(text: string, options: SettingsOptions) {
    this.#options = options;
    this.#mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    this.#text = text.slice(this.#mark.length);
    this.#root = this.#text.trim() === '' ? null : parseObject(this.#text, options);
  }

  toString(): string {
    return this.#mark + this.#text;
  }

  /** The value at a path; undefined where there is none. */
  get(path: JsonPath): unknown {
    const node = this.#find(path);
    return node === null ? undefined : plainValue(node);
  }

  /** Replaces the value at a path, or adds the property as the last one of its object, which must exist. */
  set(path: JsonPath, value: unknown): void {
    const existing = this.#find(path);
    if (existing !== null) {
      this.#update(replaceNode(this.#text, existing, value, detectStyle(this.#text)));
      return;
    }
    this.#insert(path.slice(0, -1), String(path.at(-1)), value);
  }

  /** Adds an item at the end of the array at a path. */
  append(path: JsonPath, value: unknown): void {
    this.#insert(path, null, value);
  }

  /** Removes a property or an item, with its comma and the space before it. */
  remove(path: JsonPath): void {
    const parent = this.#find(path.slice(0, -1));
    const node = this.#find(path);
    if (parent === null || node === null) return;
    const children = parent.children ?? [];
    const index = children.findIndex((child) => child === node || child.children?.[1] === node);
    this.#update(removeChild(this.#text, parent, index));
  }

  #insert(path: JsonPath, key: string | null, value: unknown): void {
    if (this.#root === null) this.#update(`{}${this.#text.endsWith('\n') ? '\n' : ''}`);
    const container = this.#find(path);
    if (container === null || container.type !== (key === null ? 'array' : 'object'))
      throw new TypeError(`Nothing can be added at ${path.join('.')}`);
    this.#update(insertChild(this.#text, container, key, value, detectStyle(this.#text)));
  }

  #update(text: string): void {
    this.#text = text;
    this.#root = parseObject(text, this.#options);
  }

  #find(path: JsonPath): Node | null {
    let node = this.#root;
    for (const step of path) {
      if (node === null) return null;
      node =
        typeof step === 'number' ? (node.children?.[step] ?? null) : property(node, step, this.#options.path);
    }
    return node;
  }
}

function property(node: Node, key: string, path: string): Node | null {
  if (node.type !== 'object') return null;
  const found = (node.children ?? []).filter((child) => child.children?.[0]?.value === key);
  // Clients read the last one only. Editing either would change what the other means.
  if (found.length > 1) throw unreadable(path, `has the key ${JSON.stringify(key)} twice in one object`);
  return found[0]?.children?.[1] ?? null;
}

function parseObject(text: string, options: SettingsOptions): Node {
  const errors: ParseError[] = [];
  const comments = options.comments === true;
  const root = parseTree(text, errors, { disallowComments: !comments, allowTrailingComma: comments });
  const error = errors[0];
  if (error !== undefined)
    throw unreadable(options.path, `is not valid JSON (${position(text, error.offset)})`);
  // The tolerant parser has a few more tolerances than the clients that read with JSON.parse.
  if (root === undefined || !(comments || parseJson(text) !== undefined))
    throw unreadable(options.path, 'is not valid JSON');
  if (root.type !== 'object') throw unreadable(options.path, 'is not a JSON object');
  return root;
}

function position(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

function plainValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainValue);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(
    (node.children ?? []).flatMap(({ children }) =>
      children?.[0] && children[1] ? [[children[0].value, plainValue(children[1])]] : [],
    ),
  );
}

/** A value in a file that the client reads with comments. One that cannot be read counts as empty, as it does for the client. */
export function valueIn(path: string, at: readonly string[]): unknown {
  try {
    return new SettingsDocument(readSettings(path) ?? '{}', { path, comments: true }).get(at);
  } catch {
    return undefined;
  }
}
