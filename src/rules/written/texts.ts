import { isObject } from '../../model/json.ts';
import type { ToolCall } from '../../model/tools.ts';
import { editedText, type Hunk, patchedText } from './result.ts';

/** A text that a call puts into a file. */
interface Written {
  /** As the call gives it. */
  readonly path: string;
  readonly text: string;
  /** Other lines of the file are not known. */
  readonly isPart: boolean;
  /** What stood there before, as far as the call says; null where it does not. */
  readonly before: string | null;
}

/** A file before a call and after it. */
export interface Whole {
  readonly before: string;
  readonly after: string;
}

/** A file that a call writes. */
export interface Changed {
  /** From the project where it lies in it. */
  readonly path: string;
  readonly given: Written;
  /** Read when it is asked for; null where that cannot be told: then what is given counts alone. */
  whole(): Whole | null;
}

export interface Given extends Written {
  /** The whole file after the call, from what is in it before; null where that cannot be told. */
  after(before: string): string | null;
}

const CONTENT_KEY =
  /^(?:content|contents|file_?text|new_?string|new_?str|new_?text|new_?content|text|code_edit|insert_?text|replacement|new_source)$/i;
const OLD_KEY = /^(?:old_?string|old_?str|old_?text|old_?content|search)$/i;
const PATCH_KEY = /^(?:patch|diff|input|command|patch_?text)$/i;
/** More than anyone writes by hand. */
const LONGEST = 1024 * 1024;
const LONGEST_SCANNED = 32 * 1024;

/** The text that a tool is about to write, as far as it is given. */
export function textWritten(tool: ToolCall): string | null {
  return fullText(tool)?.slice(0, LONGEST_SCANNED) ?? null;
}

function fullText(tool: ToolCall): string | null {
  return tool.kind === 'write' || tool.kind === 'mcp' ? textUnder(CONTENT_KEY, tool.input) : null;
}

function textUnder(name: RegExp, input: ToolCall['input']): string | null {
  const edits = Array.isArray(input.edits) ? input.edits : [];
  const texts = [input, ...edits].flatMap((one) =>
    Object.entries(Object(one)).flatMap(([key, value]) =>
      name.test(key) && typeof value === 'string' ? [value] : [],
    ),
  );
  return texts.length === 0 ? null : texts.join('\n').slice(0, LONGEST);
}

const WHOLE_KEY = /^(?:content|contents|file_?text)$/i;

/** What a tool writes into which files. `paths` are those that it writes. */
export function textsGiven(tool: ToolCall, paths: readonly string[]): readonly Given[] {
  if (tool.kind !== 'write' && tool.kind !== 'mcp') return [];
  const text = fullText(tool);
  if (text === null) return Object.entries(tool.input).flatMap(([key, value]) => patched(key, value));
  const isWhole =
    tool.files.every(({ op }) => op !== 'edit') && Object.keys(tool.input).some((key) => WHOLE_KEY.test(key));
  const before = textUnder(OLD_KEY, tool.input);
  const after = (old: string) => (isWhole ? text : editedText(tool.input, old));
  return [...new Set(paths)].map((path) => ({ path, text, isPart: !isWhole, before, after }));
}

function patched(key: string, value: unknown): readonly Given[] {
  if (!PATCH_KEY.test(key)) return [];
  if (typeof value === 'string') return textsInPatch(value.slice(0, LONGEST));
  return isObject(value) ? Object.entries(value).flatMap(([name, one]) => patched(name, one)) : [];
}

/** The file that the lines after it are of; empty for one that is only taken away. */
const FILE_LINE =
  /^\s*\*\*\* (?:(Add|Update) File|Move to):\s*(\S.*?)\s*$|^\+\+\+ (?:b\/)?(\S[^\t]*)|^\s*\*\*\* Delete File:/;
/** Where other lines begin, and what is none. */
const HUNK_LINE = /^@@/;
const NO_LINE = /^(?:--- |\*\*\* |\\ )/;

interface Patched {
  readonly isNew: boolean;
  readonly hunks: Hunk[];
  readonly added: string[];
  readonly removed: string[];
}

/** The lines that a patch adds and takes away, by file. */
function textsInPatch(patch: string): readonly Given[] {
  const files = new Map<string, Patched>();
  let file: Patched | null = null;
  for (const line of patch.replace(/\n+$/, '').split(/\r?\n/)) {
    const [name, how, own, other] = FILE_LINE.exec(line) ?? [];
    if (name !== undefined) {
      const path = own ?? other;
      const isNew = how === 'Add';
      file = path === undefined ? null : (files.get(path) ?? { isNew, hunks: [], added: [], removed: [] });
      if (path !== undefined && file) files.set(path, file);
    } else if (file) takeLine(line, file);
  }
  return [...files].flatMap(([path, { isNew, hunks, added, removed }]) => {
    if (added.length === 0 && removed.length === 0) return [];
    const text = added.join('\n');
    const after = (before: string) => (isNew ? `${text}\n` : patchedText(hunks, before));
    return [{ path, text, isPart: true, before: removed.join('\n') || null, after }];
  });
}

function takeLine(line: string, { hunks, added, removed }: Patched): void {
  if (HUNK_LINE.test(line) || hunks.length === 0) hunks.push({ old: [], now: [] });
  if (HUNK_LINE.test(line) || NO_LINE.test(line)) return;
  const hunk = hunks.at(-1);
  const text = line.slice(1);
  if (line.startsWith('+')) added.push(text);
  else hunk?.old.push(text);
  if (line.startsWith('-')) removed.push(text);
  else hunk?.now.push(text);
}
