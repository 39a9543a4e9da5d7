// YAML in braces, written as lines: what reads lines then reads both. Done by hand: a parser takes a third of a second for a
// text that is made for it, and this one may be damaged, a template, or only a part.

type Node = string | readonly Node[] | Fields;

interface Fields {
  readonly pairs: readonly (readonly [key: string, value: Node])[];
}

const OPENS = /^(\s*(?:-\s+)*)(?:((["']?)[\w.$-]+\3)\s*:\s+)?(?=\{(?!\{)|\[)/;
const BLOCK = /(?:^|[:-])\s*[|>][-+\d]*\s*(?:#.*)?$/;
const REST = /[^\S\n]*(?:#[^\n]*)?(?:\n|$)/y;
/** So many texts without an end are looked through to theirs. */
const MOST_DAMAGED = 5;
const DEEPEST = 30;
const LONGEST_LINE = 20_000;

/** The same text with maps in braces as fields on lines of their own; lists of texts stay as they are. */
export function blockStyle(text: string): string {
  if (!/[[{]/.test(text)) return text;
  const out: string[] = [];
  let [at, damaged] = [0, 0];
  while (at < text.length) {
    const end = endOfLine(text, at);
    const line = text.slice(at, end);
    const below = BLOCK.test(line) ? endOfBlock(text, end, depthOf(line)) : null;
    const opens = below === null && damaged < MOST_DAMAGED ? OPENS.exec(line.slice(0, LONGEST_LINE)) : null;
    const read = opens === null ? null : readValue(text, at + opens[0].length, 0);
    REST.lastIndex = read?.end ?? 0;
    if (opens && read && hasFields(read.node) && REST.test(text)) {
      const [, start = '', key] = opens;
      out.push(...shown(start, key, read.node));
      at = REST.lastIndex;
      continue;
    }
    if (opens && read === null) damaged += 1;
    out.push(text.slice(at, below ?? end));
    at = (below ?? end) + 1;
  }
  return out.join('\n');
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Behind the last line that stands deeper: what is in it is text. */
function endOfBlock(text: string, from: number, depth: number): number {
  let last = from;
  while (last < text.length) {
    const end = endOfLine(text, last + 1);
    const line = text.slice(last + 1, end);
    if (line.trim() !== '' && depthOf(line) <= depth) break;
    last = end;
  }
  return last;
}

interface Read {
  readonly node: Node;
  readonly end: number;
}

const SPACE = /(?:\s|(?<=\s)#[^\n]*)*/y;

function behindSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  return SPACE.test(text) ? SPACE.lastIndex : at;
}

function readValue(text: string, start: number, depth: number): Read | null {
  const at = behindSpace(text, start);
  const sign = text.charAt(at);
  if (depth > DEEPEST || sign === '') return null;
  if (sign === '{' && text.charAt(at + 1) !== '{') return readFields(text, at, depth);
  return sign === '[' ? readList(text, at, depth) : readText(text, at);
}

function readFields(text: string, start: number, depth: number): Read | null {
  const pairs: (readonly [string, Node])[] = [];
  let at = behindSpace(text, start + 1);
  while (text.charAt(at) !== '}') {
    const key = readText(text, at);
    if (key === null || typeof key.node !== 'string') return null;
    at = behindSpace(text, key.end);
    const value = text.charAt(at) === ':' ? readValue(text, at + 1, depth + 1) : { node: '', end: at };
    if (value === null) return null;
    pairs.push([key.node, value.node]);
    const next = behindComma(text, value.end, '}');
    if (next === null) return null;
    at = next;
  }
  return { node: { pairs }, end: at + 1 };
}

function readList(text: string, start: number, depth: number): Read | null {
  const items: Node[] = [];
  let at = behindSpace(text, start + 1);
  while (text.charAt(at) !== ']') {
    const item = readValue(text, at, depth + 1);
    const next = item === null ? null : behindComma(text, item.end, ']');
    if (item === null || next === null) return null;
    items.push(item.node);
    at = next;
  }
  return { node: items, end: at + 1 };
}

function behindComma(text: string, from: number, close: string): number | null {
  const at = behindSpace(text, from);
  if (text.charAt(at) === ',') return behindSpace(text, at + 1);
  return text.charAt(at) === close ? at : null;
}

const QUOTED = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*'/y;
const PLAIN = /(?:\{\{[^{}]*\}\}|:(?=[^\s,}\]])|[^\s,{}[\]:]|[^\S\n](?!#)|\n[^\S\n]*(?=[^\s#,}\]]))+/y;

/** With its quotes. */
function readText(text: string, at: number): Read | null {
  const isQuoted = text.charAt(at) === '"' || text.charAt(at) === "'";
  const form = isQuoted ? QUOTED : PLAIN;
  form.lastIndex = at;
  const [own] = form.exec(text) ?? [];
  if (own === undefined) return isQuoted || !/[:,}\]]/.test(text.charAt(at)) ? null : { node: '', end: at };
  return { node: own.replace(/\s*\n\s*/g, ' ').trim(), end: at + own.length };
}

function isFields(node: Node): node is Fields {
  return typeof node === 'object' && 'pairs' in node;
}

function hasFields(node: Node): boolean {
  return typeof node === 'string' ? false : isFields(node) || node.some(hasFields);
}

function shown(start: string, key: string | undefined, node: Node): string[] {
  if (key !== undefined) return field(start, key, node);
  const lines = linesOf(node, ' '.repeat(start.length));
  return lines.map((line, at) => (at === 0 ? start + line.slice(start.length) : line));
}

function field(start: string, key: string, node: Node): string[] {
  if (!hasFields(node)) return [`${start}${key}: ${inline(node)}`];
  return [`${start}${key}:`, ...linesOf(node, ' '.repeat(start.length + 2))];
}

function linesOf(node: Node, indent: string): string[] {
  if (typeof node === 'string') return [indent + node];
  if (isFields(node)) return node.pairs.flatMap(([key, value]) => field(indent, key, value));
  return node.flatMap((item) =>
    hasFields(item) ? shown(`${indent}- `, undefined, item) : [`${indent}- ${inline(item)}`],
  );
}

function inline(node: Node): string {
  if (typeof node === 'string') return node;
  return isFields(node) ? '' : `[${node.map(inline).join(', ')}]`;
}
