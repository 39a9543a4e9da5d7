import { basename, extname } from 'node:path';
import { entryOf } from '../model/lookup.ts';
import type { ToolCall } from '../model/tools.ts';
import { shellQuoted } from '../platform/shell-words.ts';

const CONTENT_KEY = /^(?:content|contents|file_?text|new_?string|new_?str|text|code_edit)$/i;
const LONGEST = 32 * 1024;

/** The text that a tool is about to write, as far as it is given. */
export function textWritten({ kind, input }: ToolCall): string | null {
  if (kind !== 'write' && kind !== 'mcp') return null;
  const edits = Array.isArray(input.edits) ? input.edits : [];
  const texts = [input, ...edits].flatMap((one) =>
    Object.entries(Object(one)).flatMap(([key, value]) =>
      CONTENT_KEY.test(key) && typeof value === 'string' ? [value] : [],
    ),
  );
  const text = texts.join('\n').slice(0, LONGEST);
  return text === '' ? null : text;
}

/** How a program text is given to its interpreter, by the ending of its name. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  '.py': 'python3 -c',
  '.js': 'node -e',
  '.mjs': 'node -e',
  '.cjs': 'node -e',
  '.rb': 'ruby -e',
  '.pl': 'perl -e',
  '.php': 'php -r',
  '.lua': 'lua -e',
};
const SHELLS = /^\.(?:sh|bash|zsh|ksh|command)$/;
/** What is written to be looked at, or for a test of the very thing. */
const EXAMPLES =
  /(?:^|\/)(?:tests?|__tests__|spec|fixtures|testdata|examples?|docs?)\/|[._-](?:test|spec)\.\w+$/;

/** The command line that does what a file does which is about to be written; null where nobody runs it. */
export function lineWritten(path: string, text: string): string | null {
  if (EXAMPLES.test(path)) return null;
  const name = basename(path);
  const ending = extname(name).toLowerCase();
  if (SHELLS.test(ending) || /^#!.*\b(?:ba|z|da|k)?sh\b/.test(text)) return text;
  if (/^(?:GNU)?makefile$/i.test(name) || ending === '.mk')
    return [...text.matchAll(/^\t[@-]*(.+)$/gm)].map(([, line = '']) => line).join('\n');
  if (name === 'package.json') return scriptsIn(text).join('\n');
  const interpreter = entryOf(INTERPRETERS, ending);
  return interpreter === undefined ? null : `${interpreter} ${shellQuoted(text)}`;
}

/** Scripts that run by themselves, with an installation or a publication. */
function scriptsIn(json: string): string[] {
  return [
    ...json.matchAll(
      /"(?:(?:pre|post)?(?:install|pack|publish|prepare)|prepublishOnly)"\s*:\s*("(?:[^"\\]|\\.)*")/g,
    ),
  ].flatMap(([, value = '""']) => unescaped(value));
}

function unescaped(literal: string): string[] {
  try {
    return [String(JSON.parse(literal))];
  } catch {
    return [];
  }
}
