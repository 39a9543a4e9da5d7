import { fileURLToPath } from 'node:url';
import type { ToolCall } from '../model/tools.ts';
import { linesIn } from './call-lines.ts';

/** What the arguments of a tool say that nobody has described: an MCP server's, a search, a fetch. */
export interface CallFacts {
  /** Command lines, whoever runs them. */
  readonly commands: readonly string[];
  readonly files: readonly DerivedFile[];
  readonly addresses: readonly { readonly host: string; readonly url: string }[];
  /** The words for what it takes away from a service; null where it takes nothing. */
  readonly removes: string | null;
}

export interface DerivedFile {
  readonly access: 'read' | 'write' | 'delete' | 'send';
  readonly path: string;
  /** And all that lies below it. */
  readonly below: boolean;
}

const NOTHING: CallFacts = { commands: [], files: [], addresses: [], removes: null };

const PATH_KEY =
  /^(?:(?:file|dir|folder|notebook|absolute|relative|source|target|dest(?:ination)?|old|new|from|to|root)?_?-?(?:path|file|folder|dir)s?|file_?names?|director(?:y|ies)|attachments?|repo_?path|source|destination|uri)$/i;
/** Names that say where something comes from or goes to, which need not be a file. */
const END_KEY = /^(?:from|to|src|dst|dest|input|output|target)$/i;
const SOURCE_KEY = /^(?:source|src|from|old)(?:_?-?(?:path|file|folder|dir))?s?$/i;
const URL_KEY = /^(?:urls?|uri|href|link|endpoint|address)$/i;

const DELETES = /(?:^|[_-])(?:delete|remove|rm|unlink|trash|drop)/i;
const WRITES =
  /(?:^|[_-])(?:write|create|edit|update|append|insert|replace|patch|move|rename|copy|save|put|mkdir|set)/i;
/** What is in the files goes to somebody else. */
const SENDS = /(?:^|[_-])(?:upload|send|share|attach|mail|post|publish|put_(?:object|blob|file))/i;
/** Tells names, not what is in files. */
const LISTS = /(?:^|[_-])(?:glob|ls|list|tree|stat|info|exists|find_files?)(?:[_-]|$)/i;
/** Of git, by a tool of its own. */
const RESETS = /(?:^|[_-])reset(?:[_-]|$)/i;
const REMOVES =
  /(?:^|[_-])(?:delete|remove|destroy|drop|purge|terminate|wipe|truncate|revoke|uninstall|erase|flush(?:_?all|_?db)?)(?:[_-]|$)/i;

const MAX_VALUES = 200;
const MAX_DEPTH = 4;

/** Derived by the names of arguments and the verb in the tool's name: good enough to stop, never to allow. */
export function callFacts(tool: ToolCall): CallFacts {
  const isCell = tool.name === 'NotebookEdit';
  // What is described says it all; of arguments that nobody could read, their names do.
  const isDescribed = tool.command !== null || (tool.kind === 'write' && tool.files.length > 0 && !isCell);
  if (isDescribed || tool.kind === 'question') return NOTHING;
  const verb = snake(tool.mcp?.tool ?? tool.nativeName);
  const texts = textsIn(tool.input);
  const commands = linesIn(tool, verb, texts);
  if (isCell) return { ...NOTHING, commands };
  const described = tool.files.length > 0 || LISTS.test(verb);
  const own = tool.kind === 'write' ? 'write' : accessOf(verb);
  const files = described ? [] : filesIn(texts, verb, own, tool.kind === 'search');
  return {
    commands,
    files,
    addresses: addressesIn(tool, texts),
    removes: tool.kind === 'mcp' && takesAway(verb, files, texts) ? verb.toLowerCase() : null,
  };
}

function takesAway(verb: string, files: CallFacts['files'], texts: readonly Text[]): boolean {
  if (RESETS.test(verb)) return texts.some(({ text }) => text === 'hard' || text === '--hard');
  return files.length === 0 && REMOVES.test(verb);
}

function addressesIn(tool: ToolCall, texts: readonly Text[]): CallFacts['addresses'] {
  const named = texts.flatMap(({ key, text }) => (URL_KEY.test(key) ? [text] : []));
  // Some fetch tools take addresses in the middle of a sentence.
  const isSentence = tool.kind === 'network' && named.length === 0;
  const urls = isSentence ? texts.flatMap(({ text }) => text.match(/https?:\/\/[^\s"'<>)]+/gi) ?? []) : named;
  return urls.flatMap((url) => {
    const host = URL.canParse(url) ? new URL(url).hostname : '';
    return host === '' ? [] : [{ host, url }];
  });
}

/** `readFile` and `read-file` are `read_file`. */
function snake(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1_$2');
}

function accessOf(verb: string): DerivedFile['access'] {
  if (DELETES.test(verb)) return 'delete';
  if (SENDS.test(verb)) return 'send';
  return WRITES.test(verb) ? 'write' : 'read';
}

const MOVES = /(?:^|[_-])(?:move|mv|rename)/i;

/** What is copied is read where it comes from, and what is moved is gone there as well. */
function accessesTo(key: string, verb: string, own: DerivedFile['access']): readonly DerivedFile['access'][] {
  if (own !== 'write' || !SOURCE_KEY.test(key)) return [own];
  return MOVES.test(verb) ? ['read', 'delete'] : ['read'];
}

function filesIn(
  texts: readonly Text[],
  verb: string,
  own: DerivedFile['access'],
  search: boolean,
): CallFacts['files'] {
  return texts.flatMap(({ key, text }) => {
    const isPath =
      PATH_KEY.test(key) ||
      (END_KEY.test(key) && /^(?:~|\.{0,2})\//.test(text)) ||
      (URL_KEY.test(key) && /^file:/i.test(text));
    const path = isPath ? pathIn(text) : null;
    if (path === null) return [];
    return accessesTo(key, verb, own).map((access) => ({
      access,
      path,
      below: search || access === 'delete',
    }));
  });
}

/** Some clients take a path as people mention it, with an `@`. */
function pathIn(given: string): string | null {
  const text = given.replace(/^@(?=[/~.]|file:)/i, '');
  if (/^file:\/\//i.test(text)) return fileAt(text);
  return text === '' || /^[a-z][\w+.-]*:\/\//i.test(text) || text.includes('\n') ? null : text;
}

/** Null for a file of another machine. */
function fileAt(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { host } = new URL(url);
  return host === '' ? fileURLToPath(url) : null;
}

/** One text among the arguments, with the name it stands under. */
export interface Text {
  readonly key: string;
  readonly text: string;
}

/** Every text among the arguments; those of a list stand under the list's name. */
function textsIn(input: unknown): Text[] {
  const found: Text[] = [];
  const look = (value: unknown, key: string, depth: number): void => {
    if (found.length >= MAX_VALUES || depth > MAX_DEPTH) return;
    if (typeof value === 'string') found.push({ key, text: value });
    else if (Array.isArray(value)) for (const one of value) look(one, key, depth + 1);
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) look(one, name, depth + 1);
  };
  look(input, '', 0);
  return found;
}
