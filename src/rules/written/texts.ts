import { isObject } from '../../model/json.ts';
import type { ToolCall } from '../../model/tools.ts';

/** A text that a call puts into a file. */
export interface Written {
  /** As the call gives it. */
  readonly path: string;
  readonly text: string;
  /** Other lines of the file are not known. */
  readonly isPart: boolean;
  /** What stood there before, as far as the call says; null where it does not. */
  readonly before: string | null;
}

const CONTENT_KEY =
  /^(?:content|contents|file_?text|new_?string|new_?str|new_?text|new_?content|text|code_edit|insert_?text|replacement|new_source)$/i;
const OLD_KEY = /^(?:old_?string|old_?str|old_?text|old_?content|search)$/i;
const PATCH_KEY = /^(?:patch|diff|input|command|patch_?text)$/i;
/** More than anybody writes by hand. */
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
export function textsGiven(tool: ToolCall, paths: readonly string[]): readonly Written[] {
  if (tool.kind !== 'write' && tool.kind !== 'mcp') return [];
  const text = fullText(tool);
  if (text === null) return Object.entries(tool.input).flatMap(([key, value]) => patched(key, value));
  const isWhole =
    tool.files.every(({ op }) => op !== 'edit') && Object.keys(tool.input).some((key) => WHOLE_KEY.test(key));
  const before = textUnder(OLD_KEY, tool.input);
  return [...new Set(paths)].map((path) => ({ path, text, isPart: !isWhole, before }));
}

function patched(key: string, value: unknown): readonly Written[] {
  if (!PATCH_KEY.test(key)) return [];
  if (typeof value === 'string') return textsInPatch(value.slice(0, LONGEST));
  return isObject(value) ? Object.entries(value).flatMap(([name, one]) => patched(name, one)) : [];
}

/** The file that the lines after it are of; empty for one that is only taken away. */
const FILE_LINE =
  /^\s*\*\*\* (?:(?:Add|Update) File|Move to):\s*(\S.*?)\s*$|^\+\+\+ (?:b\/)?(\S[^\t]*)|^\s*\*\*\* Delete File:/;

/** The lines that a patch adds and takes away, by file. */
function textsInPatch(patch: string): readonly Written[] {
  const texts = new Map<string, { readonly added: string[]; readonly removed: string[] }>();
  let lines: { readonly added: string[]; readonly removed: string[] } | null = null;
  for (const line of patch.split(/\r?\n/)) {
    const file = FILE_LINE.exec(line);
    if (file) {
      const path = file[1] ?? file[2];
      lines = path === undefined ? null : (texts.get(path) ?? { added: [], removed: [] });
      if (path !== undefined && lines) texts.set(path, lines);
    } else if (line.startsWith('+')) lines?.added.push(line.slice(1));
    else if (line.startsWith('-') && !line.startsWith('--- ')) lines?.removed.push(line.slice(1));
  }
  return [...texts].flatMap(([path, { added, removed }]) =>
    added.length === 0 && removed.length === 0
      ? []
      : [{ path, text: added.join('\n'), isPart: true, before: removed.join('\n') || null }],
  );
}
