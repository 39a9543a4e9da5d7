import { createScanner, type Node } from 'jsonc-parser';

/** How a file is laid out, so that what is added looks like the rest. */
interface Style {
  readonly eol: string;
  /** One step of indentation. */
  readonly unit: string;
  readonly multiline: boolean;
  /** A space after colons and commas within a line. */
  readonly spaced: boolean;
}

/** The layout of a text; two spaces, as clients write it, where the text does not show it. */
export function detectStyle(text: string): Style {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return {
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    unit: indent.startsWith('\t') ? '\t' : indent,
    multiline: /\n/.test(text.trim()) || /^\{\s*\}$/.test(text.trim()),
    spaced: /":\s/.test(text) || !/":/.test(text),
  };
}

/** The text with one more last child in a container: a property if there is a key, else an item. */
export function insertChild(
  text: string,
  container: Node,
  key: string | null,
  value: unknown,
  style: Style,
): string {
  const open = container.offset + 1;
  const close = end(container) - 1;
  const first = container.children?.[0];
  const last = container.children?.at(-1);
  // For an empty container everything inside it is what precedes the new child.
  const from = last ? end(last) : open;
  const gap = text.slice(from, close);
  const kept = gap.trimEnd();
  const trailingComma = last !== undefined && splitAtComma(gap) !== null;
  const comma = last === undefined || trailingComma ? '' : ',';
  const head = text.slice(0, from) + comma + kept;
  const after = trailingComma ? ',' : '';
  const ownLine = first ? text.slice(open, first.offset).includes('\n') : style.multiline;
  if (!ownLine && !kept.includes('//')) {
    const space = last && style.spaced ? ' ' : '';
    return head + space + inline(key, value, style) + after + text.slice(last ? from + kept.length : close);
  }
  const outer = indentAt(text, container.offset);
  const indent = last ? indentAt(text, last.offset) : outer + style.unit;
  const tail = last ? text.slice(from + kept.length) : style.eol + outer + text.slice(close);
  return head + style.eol + indent + block(key, value, indent, style) + after + tail;
}

/** The text with another value in the place of a node, on one line if the old one was. */
export function replaceNode(text: string, node: Node, value: unknown, style: Style): string {
  const old = text.slice(node.offset, end(node));
  const oneLine = !old.includes('\n') && (!style.multiline || (node.children ?? []).length > 0);
  const fresh = oneLine ? inline(null, value, style) : block(null, value, indentAt(text, node.offset), style);
  return text.slice(0, node.offset) + fresh + text.slice(end(node));
}

/** The text without one child of a container. Comments of the neighbours stay. */
export function removeChild(text: string, container: Node, index: number): string {
  const children = container.children ?? [];
  const child = children[index];
  if (child === undefined) return text;
  const previous = children[index - 1];
  const next = children[index + 1];
  const rest = text.slice(end(child));
  const open = container.offset + 1;
  const close = end(container) - 1;
  const behind = next ? null : splitAtComma(text.slice(end(child), close));
  if (previous && behind) {
    // A file with trailing commas keeps them: the one before stays, ours goes.
    const before = text.slice(end(previous), child.offset).trimEnd();
    return joinLines(text.slice(0, end(previous)), before, behind.join('') + text.slice(close));
  }
  if (previous) {
    const [left, right] = splitAtComma(text.slice(end(previous), child.offset)) ?? ['', ''];
    return joinLines(text.slice(0, end(previous)), left.trimEnd() + right.trimEnd(), rest);
  }
  if (next) {
    const [, right] = splitAtComma(text.slice(end(child), next.offset)) ?? ['', ''];
    return text.slice(0, child.offset) + right.trimStart() + text.slice(next.offset);
  }
  const before = text.slice(open, child.offset).trimEnd();
  const after = behind?.join('') ?? text.slice(end(child), close);
  if ((before + after).trim() === '') return text.slice(0, open) + text.slice(close);
  return joinLines(text.slice(0, open), before, after + text.slice(close));
}

function end(node: Node): number {
  return node.offset + node.length;
}

/** A line comment must not swallow what comes after it. */
function joinLines(head: string, comments: string, rest: string): string {
  const needsBreak = comments.includes('//') && !/^[ \t]*\r?\n/.test(rest);
  return head + comments + (needsBreak ? '\n' : '') + rest;
}

/** Splits what stands between two nodes at its comma, which is not one within a comment. */
function splitAtComma(gap: string): [string, string] | null {
  // The enums of the library are const enums, which a compiler working file by file cannot see: 5 is the comma,
  // 17 the end.
  const scanner = createScanner(gap, false);
  for (let token: number = scanner.scan(); token !== 17; token = scanner.scan()) {
    const at = scanner.getTokenOffset();
    if (token === 5) return [gap.slice(0, at), gap.slice(at + 1)];
  }
  return null;
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function block(key: string | null, value: unknown, indent: string, style: Style): string {
  const lines = JSON.stringify(value, null, style.unit).split('\n');
  return (key === null ? '' : `${JSON.stringify(key)}: `) + lines.join(style.eol + indent);
}

function inline(key: string | null, value: unknown, style: Style): string {
  const space = style.spaced ? ' ' : '';
  const text = (part: unknown): string => {
    if (Array.isArray(part)) return `[${part.map(text).join(`,${space}`)}]`;
    if (typeof part !== 'object' || part === null) return JSON.stringify(part);
    const properties = Object.entries(part).map(([name, item]) => pair(name, item));
    return `{${properties.join(`,${space}`)}}`;
  };
  const pair = (name: string, item: unknown) => `${JSON.stringify(name)}:${space}${text(item)}`;
  return key === null ? text(value) : pair(key, value);
}
