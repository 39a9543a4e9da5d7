import type { ToolCall } from '../../model/tools.ts';
import { positionOf } from './position.ts';

const OLD_KEY = /^(?:old_?string|old_?str|old_?text|old_?content|search)$/i;
const NEW_KEY = /^(?:new_?string|new_?str|new_?text|new_?content|replacement|replace)$/i;
const INSERTED_KEY = /^(?:insert_?text|text|new_?str|new_?text|content)$/i;
const LINE_KEY = /^(?:insert_?line|line)$/i;
const LIST_KEY = /^(?:edits|replacements|changes)$/i;
const MOST_EDITS = 40;
const LONGEST = 1024 * 1024;

type Input = ToolCall['input'];

/** A file after an edit, told from what is in it before; null where that cannot be told. */
export function editedText(input: Input, before: string): string | null {
  const lists = Object.entries(input).flatMap(([key, value]) =>
    LIST_KEY.test(key) && Array.isArray(value) ? value : [],
  );
  const edits: readonly unknown[] = lists.length > 0 ? lists : [input];
  if (edits.length > MOST_EDITS) return null;
  let text: string | null = before;
  for (const edit of edits) if (text !== null) text = onceEdited(Object(edit), text);
  return text;
}

function onceEdited(edit: Input, text: string): string | null {
  const line = valueUnder(LINE_KEY, edit);
  const old = textUnder(OLD_KEY, edit);
  if (old === null) {
    const inserted = textUnder(INSERTED_KEY, edit);
    return typeof line === 'number' && inserted !== null ? withLines(text, line, inserted) : null;
  }
  const now = textUnder(NEW_KEY, edit);
  if (now === null) return null;
  return old === '' ? (text === '' ? now : null) : replaced(text, old, now);
}

function valueUnder(name: RegExp, edit: Input): unknown {
  return Object.entries(edit).find(([key]) => name.test(key))?.[1];
}

function textUnder(name: RegExp, edit: Input): string | null {
  const value = valueUnder(name, edit);
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : null;
}

/** Everywhere: where the tool replaces it only once, nothing that this finds is missing in it. */
function replaced(text: string, old: string, now: string): string | null {
  const parts: string[] = [];
  let from = 0;
  let size = 0;
  for (let at = positionOf(old, text, 0); at >= 0; at = positionOf(old, text, from)) {
    parts.push(text.slice(from, at), now);
    size += at - from + now.length;
    if (size > LONGEST) return null;
    from = at + old.length;
  }
  return parts.length === 0 ? null : parts.join('') + text.slice(from);
}

function withLines(text: string, after: number, inserted: string): string {
  const lines = text.split('\n');
  lines.splice(Math.max(0, after), 0, inserted.replace(/\n$/, ''));
  return lines.join('\n');
}

/** Lines of a patch that belong together: what it looks for, and what stands there afterwards. */
export interface Hunk {
  readonly old: string[];
  readonly now: string[];
}

/** A file after a patch; null where the patch does not fit. */
export function patchedText(hunks: readonly Hunk[], before: string): string | null {
  let text = `\n${before.replace(/\n$/, '')}\n`;
  let from = 0;
  for (const { old, now } of hunks.length > MOST_EDITS ? [] : hunks) {
    if (old.length === 0 && now.length === 0) continue;
    const sought = old.length === 0 ? null : `\n${old.join('\n')}\n`;
    const at = sought === null ? text.length - 1 : firstOf(sought, text, from);
    if (at < 0) return null;
    const put = now.length === 0 ? '\n' : `\n${now.join('\n')}\n`;
    text = text.slice(0, at) + put + text.slice(at + (sought?.length ?? 1));
    from = at + put.length - 1;
  }
  return hunks.length > MOST_EDITS ? null : text.slice(1);
}

/** Further on, or anywhere. */
function firstOf(sought: string, text: string, from: number): number {
  const next = positionOf(sought, text, from);
  return next < 0 ? positionOf(sought, text, 0) : next;
}
