import { isShell } from '../../model/shells.ts';
import { blockStyle } from './flow-style.ts';
import { lineOf, literalsIn, unescaped } from './line.ts';

// Reads line by line without parsing, because the text is often only part of a file or a template.

/** Names under which files for builds, hooks and containers have their commands. */
const COMMANDS =
  /^(?:run|script|(?:before|after|pre|post)_(?:script|install|success|failure|deploy)|commands?|cmds?|bash|pwsh|powershell|sh|install|inlineScript|entry|entrypoint|args|exec|(?:pre|post)[-_]?(?:commit|push|checkout|merge|build|deploy))$/;

const FIELD = /^(\s*(?:-\s+)*)(["']?)([\w.-]+)\2\s*:(?:\s+(.*)|)$/;
const ITEM = /^(\s*-\s+)(.*)$/;
const BLOCK = /^[|>][-+\d]*\s*(?:#.*)?$/;
const INLINE_FIELD =
  /[{,]\s*["']?([\w.-]+)["']?\s*:\s*("(?:[^"\\]|\\.){0,4000}"|'[^']{0,4000}'|\[[^\]]{0,4000}\]|[^,}\]]{1,4000})/g;
const MOST_LINES = 20_000;
const LONGEST_LINE = 20_000;

interface Block {
  readonly text: string;
  /** The line that comes after it. */
  readonly next: number;
}

/** Command lines in a YAML text. In a fragment, also lines whose place is unknown. */
export function yamlLines(text: string, isPart: boolean): string[] {
  const lines = blockStyle(text).split(/\r?\n/, MOST_LINES);
  const found: string[] = [];
  const loose: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    at += 1;
    if (line.length > LONGEST_LINE || /^\s*(?:#|$)/.test(line)) continue;
    const field = FIELD.exec(line);
    if (field === null) {
      const item = ITEM.exec(line)?.[2] ?? line.trim();
      if (item.startsWith('{')) found.push(...inlineCommands(item));
      else if (isPart && !BLOCK.test(item)) loose.push(scalar(item));
      continue;
    }
    const [, indent = '', , key = '', value = ''] = field;
    if (COMMANDS.test(key)) {
      const { texts, next } = fieldValue(lines, at, indent.length, value.trim());
      // The commands of a list run one after the other.
      found.push(texts.join('\n'));
      at = next;
    } else if (value.includes('{')) found.push(...inlineCommands(value));
    else if (BLOCK.test(value)) at = blockAt(lines, at, indent.length).next;
  }
  return [...found, ...(loose.length === 0 ? [] : [loose.join('\n')])];
}

function inlineCommands(value: string): string[] {
  return [...(value.startsWith('{') ? value : `{${value}`).matchAll(INLINE_FIELD)].flatMap(
    ([, key = '', text = '']) =>
      COMMANDS.test(key) ? [text.startsWith('[') ? listed(text) : [scalar(text)]].flat() : [],
  );
}

function fieldValue(
  lines: readonly string[],
  at: number,
  indent: number,
  value: string,
): { readonly texts: readonly string[]; readonly next: number } {
  if (BLOCK.test(value)) {
    const block = blockAt(lines, at, indent);
    return {
      texts: [value.startsWith('>') ? block.text.replace(/\n+/g, ' ') : block.text],
      next: block.next,
    };
  }
  if (value.startsWith('[')) {
    const whole = [value, ...lines.slice(at, at + 20)].join('\n');
    const end = whole.search(/\](?=\s*(?:[,}#\n]|$))/);
    return { texts: listed(end < 0 ? value : whole.slice(0, end)), next: at };
  }
  if (value === '' || value.startsWith('#')) return itemsAt(lines, at, indent);
  if (value.startsWith('{')) return { texts: inlineCommands(value), next: at };
  // A text without quotes may go on in lines that stand deeper.
  const more =
    /^["']/.test(value) && !/["']$/.test(value) ? blockAt(lines, at, indent) : plainRest(lines, at, indent);
  return { texts: [scalar([value, more.text.replace(/\s*\n\s*/g, ' ')].join(' ').trim())], next: more.next };
}

function plainRest(lines: readonly string[], at: number, indent: number): Block {
  const line = lines[at] ?? '';
  return line.trim() === '' || FIELD.test(line) || ITEM.test(line) || /^\s*#/.test(line)
    ? { text: '', next: at }
    : blockAt(lines, at, indent);
}

/** The lines that stand deeper than a field. */
function blockAt(lines: readonly string[], from: number, indent: number): Block {
  let at = from;
  const block: string[] = [];
  for (; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() !== '' && depthOf(line) <= indent) break;
    block.push(line.trim() === '' ? '' : line.slice(Math.min(depthOf(line), indent + 2)));
  }
  return { text: block.join('\n').trim(), next: at };
}

/** The items of a list below a field, each a text of its own or the words of one command. */
function itemsAt(
  lines: readonly string[],
  from: number,
  indent: number,
): { readonly texts: readonly string[]; readonly next: number } {
  const texts: string[] = [];
  let at = from;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const item = ITEM.exec(line);
    if (/^\s*(?:#|$)/.test(line)) {
      at += 1;
      continue;
    }
    // A list may stand as deep as the name of what it is.
    if (item === null || depthOf(line) < indent || FIELD.test(line)) break;
    at += 1;
    const [, mark = '', value = ''] = item;
    if (BLOCK.test(value)) {
      const block = blockAt(lines, at, mark.length - 2);
      texts.push(block.text);
      at = block.next;
    } else texts.push(scalar(value));
  }
  const isWords = texts.length > 1 && isShell(texts[0] ?? '');
  return { texts: isWords ? [lineOf(texts)] : texts, next: at };
}

/** `[sh, -c, "x"]` is one command, `["npm ci", "npm test"]` are two. */
function listed(flow: string): string[] {
  const items = [...flow.replace(/^\[/, '').matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,[\]][^,[\]\n]*/g)].map(
    ([item]) => scalar(item),
  );
  const [first = ''] = items;
  return items.length === 0 || /\s/.test(first) ? items : [lineOf(items)];
}

/** Without its quotes, or without the comment behind it. */
function scalar(value: string): string {
  const text = value.trim();
  if (/^"(?:[^"\\]|\\.)*"$/.test(text)) return unescaped(text.slice(1, -1));
  if (/^'(?:[^']|'')*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  return text;
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Whether a field is set to a value, on a line of its own or within braces. */
export function hasField(text: string, key: string, value: string): boolean {
  return new RegExp(`(?:^|[\\s{,"'-])${key}["']?\\s*:\\s*["']?${value}["']?\\s*(?:[,}\\]#\\n]|$)`, 'm').test(
    text,
  );
}

/** The quoted or plain texts of a list under a field. */
export function listUnder(text: string, key: RegExp): string[] {
  const lines = text.split(/\r?\n/, MOST_LINES);
  return lines.flatMap((line, at) => {
    const field = FIELD.exec(line);
    if (!field || !key.test(field[3] ?? '')) return [];
    const value = (field[4] ?? '').trim();
    if (value.startsWith('[')) {
      const texts = literalsIn(value).map((literal) => literal.text);
      return texts.length > 0 ? texts : value.replace(/[[\]]/g, '').split(',').map(scalar);
    }
    return value === '' ? itemsAt(lines, at + 1, (field[1] ?? '').length).texts : [];
  });
}
