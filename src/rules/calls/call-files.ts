import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { snake, type Text } from '../../doors/text-words.ts';
import { anyWordFor } from '../../knowledge/load.ts';
import type { ToolCall } from '../../model/tools.ts';
import { once } from '../../platform/bounded.ts';

export interface DerivedFile {
  readonly access: 'read' | 'write' | 'delete' | 'send';
  readonly path: string;
  /** True if everything below it counts as well. */
  readonly below: boolean;
  /** True if it is a pattern. */
  readonly glob: boolean;
  /** True if it is certainly a directory, with all its content. */
  readonly isFolder?: boolean;
}

const PATH_KEY =
  /^(?:(?:[a-z]+_)*?(?:path|file|folder|dir|directory|filename|filepath)s?|path_in_project|directories|attachments?|source|destination|uri)$/;
/** Paths on another machine or store, and values that only end like a path. */
const NO_PATH = /(?:^|_)(?:remote|container|pod|bucket|object|json|xml|css|mime|url|selector)_/;
/** The working directory, rather than a target. */
const PLACE_KEY = /^(?:work(?:ing)?_?dir(?:ectory)?|cwd|(?:repo|repository|project)_?(?:path|dir|root))$/;
/** Names for a source or target, which need not be a file. */
const END_KEY = /^(?:from|to|src|dst|dest|input|output|target|local|image|media|document)$/;
const SOURCE_KEY = /^(?:source|src|from|old)(?:_?(?:path|file|folder|dir))?s?$/;
export const URL_KEY = /^(?:urls?|uri|href|link|endpoint|address)$/i;
/** Patterns for the names of searched files. */
const NAMES_KEY = /^(?:.*_)?(?:globs?|includes?|file_pattern|path_pattern|filename_pattern)(?:_.*)?$/;
const LEFT_OUT = /exclude|ignore|not_|skip/;

const deletes = once(() => new RegExp(`(?:^|_)${anyWordFor('tool-file')}`));
const WRITES =
  /(?:^|_)(?:write|create|edit|update|append|insert|replace|patch|move|rename|copy|save|put|mkdir|set|download)/;
/** Sends the content of files. */
const SENDS = /(?:^|_)(?:upload|send|share|attach|mail|post|publish|put_(?:object|blob|file))/;
/** Returns names, not content. */
const LISTS = /(?:^|_)(?:glob|ls|list|tree|stat|info|exists|find_files?)(?:_|$)/;
const FOLDER = /(?:^|_)(?:dir|directory|directories|folders?|tree|recursive|rmdir)(?:_|$)/;
const MOVES = /(?:^|_)(?:move|mv|rename)/;
/** Reads the content of every file in a directory. */
const SEARCHES = /(?:^|_)(?:search|grep|ripgrep|rg)(?:_|$)/;
const SEARCHES_CONTENTS = /(?:^|_)(?:grep|ripgrep|rg)(?:_|$)/;

/** The files in a tool's arguments, by the names of the arguments and the verb in the tool's name. */
export function filesIn(tool: ToolCall, verb: string, texts: readonly Text[]): readonly DerivedFile[] {
  if (tool.files.length > 0 || LISTS.test(verb) || tool.name === 'Glob' || tool.name === 'Ls') return [];
  const own = tool.kind === 'write' ? 'write' : accessOf(verb);
  const searches =
    tool.kind === 'search' || SEARCHES_CONTENTS.test(`${snake(tool.mcp?.server ?? '')}_${verb}`);
  const named = texts.flatMap(({ key, text }) => {
    const path = pathUnder(snake(key), text);
    if (path === null) return [];
    return accessesTo(snake(key), verb, own).map((access) => ({
      access,
      path,
      below: searches || access === 'delete',
      glob: false,
      isFolder: FOLDER.test(verb) || tool.input.recursive === true,
    }));
  });
  return searches || SEARCHES.test(verb) ? [...named, ...searched(tool, texts, named)] : named;
}

function accessOf(verb: string): DerivedFile['access'] {
  if (deletes().test(verb)) return 'delete';
  if (SENDS.test(verb)) return 'send';
  return WRITES.test(verb) ? 'write' : 'read';
}

/** A copy reads its source, and a move also deletes it. */
function accessesTo(key: string, verb: string, own: DerivedFile['access']): readonly DerivedFile['access'][] {
  if (PLACE_KEY.test(key)) return ['read'];
  if (own !== 'write' || !SOURCE_KEY.test(key)) return [own];
  return MOVES.test(verb) ? ['read', 'delete'] : ['read'];
}

/** Looks like a path, whatever the argument is called. */
const LIKE_PATH = /^(?:(?:~|\.{0,2}|\$HOME|\$\{HOME\})\/|%\w+%[\\/]|[a-z]:[\\/])/i;

function pathUnder(key: string, text: string): string | null {
  const isPath =
    (PATH_KEY.test(key) && !NO_PATH.test(key)) ||
    (END_KEY.test(key) && LIKE_PATH.test(text)) ||
    (URL_KEY.test(key) && /^file:/i.test(text));
  return isPath ? pathIn(text) : null;
}

/** Some clients pass a path as a mention, with an `@`. */
function pathIn(given: string): string | null {
  const text = given.replace(/^@(?=[/~.]|file:)/i, '');
  if (/^file:\/\//i.test(text)) return fileAt(text);
  return text === '' || /^[a-z][\w+.-]*:\/\//i.test(text) || text.includes('\n') ? null : text;
}

/** Null for a file on another machine. */
function fileAt(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { host } = new URL(url);
  return host === '' ? fileURLToPath(url) : null;
}

/** A search that prints matches reads every file with such a name; one that counts or lists reveals no content. */
function searched(
  { input }: ToolCall,
  texts: readonly Text[],
  named: readonly DerivedFile[],
): readonly DerivedFile[] {
  if (
    /^(?:files_with_matches|count|files?|names?)$/.test(String(input.output_mode ?? input.searchType ?? ''))
  )
    return [];
  const folder = named[0]?.path ?? '.';
  return texts.flatMap(({ key, text }) => {
    const name = snake(key);
    if (!NAMES_KEY.test(name) || LEFT_OUT.test(name)) return [];
    return patternsIn(text).map((pattern) => ({
      access: 'read' as const,
      path: below(folder, pattern),
      below: false,
      glob: true,
    }));
  });
}

const LONGEST_PATTERN = 1000;
const MAX_PATTERNS = 20;

/** Several patterns in one text; a `!` marks an exclusion. */
function patternsIn(text: string): readonly string[] {
  const given = text.slice(0, LONGEST_PATTERN);
  const patterns = given.includes('{') ? [given] : given.split(/[,\s]+/);
  return patterns.slice(0, MAX_PATTERNS).filter((pattern) => pattern !== '' && !pattern.startsWith('!'));
}

function below(folder: string, pattern: string): string {
  if (LIKE_PATH.test(pattern)) return pattern;
  return pattern.includes('/') ? posix.join(folder, pattern) : posix.join(folder, '**', pattern);
}
