import { requestDeed } from '../../doors/request.ts';
import { isServerOf } from '../../doors/services.ts';
import { IN_A_PAGE, type Text } from '../../doors/text-words.ts';
import { ANY_SHELL, isShell } from '../../model/shells.ts';
import type { ToolCall } from '../../model/tools.ts';
import { shellQuoted } from '../../platform/shell-words.ts';
import { baseName, isKnownTool } from '../../shell/program-names.ts';
import { URL_KEY } from './call-files.ts';
import { manifestLines } from './manifests.ts';
import { programLine } from './program-line.ts';
import { substitutedIn } from './sends.ts';

const COMMAND_KEY =
  /^(?:(?:shell|bash|sh|cli|cmd|remote|full|raw|exec|run)_?)?(?:command|cmd|script|shell|bash)(?:_?(?:line|string|str|text))?s?$/i;
const CODE_KEY =
  /^(?:(?:python|py|js|javascript|node|ts)?_?code|source(?:_?code)?|(?:code_?)?snippet|cell|new_source)$/i;
const SQL_KEY = /sql|^(?:query|queries|query_?string|statements?|ddl)$/i;

const RUNS = /run|exec|shell|terminal|bash|command|process|spawn|eval/i;
/** A natural question never begins like this. */
const STATEMENT = /^\s*(?:drop\s+\w+\s|truncate\s|delete\s+from\s|update\s+\S+\s+set\s|alter\s+\w+\s)/i;

/** Command lines equivalent to a tool's call: what it runs, or what would do the same in a shell. */
export function linesIn(tool: ToolCall, verb: string, texts: readonly Text[]): string[] {
  if (tool.name === 'NotebookEdit') return tool.input.cell_type === 'markdown' ? [] : cells(tool, texts);
  const substituted = [...substitutedIn(tool, texts), ...asked(tool, texts)];
  // An unknown built-in tool may run its arguments just like an MCP tool.
  if (tool.kind === 'network') return [...requested(tool, verb), ...substituted];
  if (tool.kind !== 'mcp' && tool.kind !== 'other' && tool.kind !== 'shell') return substituted;
  const place = `${tool.mcp?.server ?? ''} ${verb}`;
  const isHere = !IN_A_PAGE.test(place);
  const line = programLine(tool, verb);
  const given = commands(tool, tool.kind === 'shell' || (RUNS.test(verb) && isHere && line === null), texts);
  return [
    ...(line === null ? given : [line, ...given.filter((one) => one !== line && !isOwnWord(one))]),
    ...(isHere ? typedBy(verb, texts) : []),
    ...(RUNS.test(verb) && isHere ? cells(tool, texts) : []),
    ...queries(place, texts),
    ...(STARTS_CONTAINER.test(verb) ? [containerLine(tool, texts)] : []),
    ...manifestLines(tool, place),
    ...requested(tool, verb),
    ...substituted,
  ];
}

function queries(place: string, texts: readonly Text[]): readonly string[] {
  const asked = texts.filter(({ key }) => SQL_KEY.test(key));
  if (isServerOf('cypher', place)) return asked.map(({ text }) => `cypher-shell ${shellQuoted(text)}`);
  const mayRun = /run|exec|write/i.test(place);
  return asked
    .filter(
      ({ key, text }) => /sql/i.test(key) || isServerOf('sql', place) || (mayRun && STATEMENT.test(text)),
    )
    .map(({ text }) => `psql -c ${shellQuoted(text)}`);
}

const METHOD = /(?<=^|_)(?:post|put|patch|delete)(?=_|$)/;

/** A changing request, as the equivalent command line. */
function requested({ input }: ToolCall, verb: string): readonly string[] {
  const { url, body, data, json, payload } = input;
  const method = input.method ?? METHOD.exec(verb)?.[0];
  if (typeof method !== 'string' || typeof url !== 'string') return [];
  const sent = body ?? data ?? json ?? payload ?? '';
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  if (requestDeed({ method, url, body: text }) === null) return [];
  const given = text === '' ? '' : ` --data-raw ${shellQuoted(text)}`;
  return [`curl -X ${shellQuoted(method)}${given} ${shellQuoted(url)}`];
}

/** What opening an address triggers. */
function asked({ kind }: ToolCall, texts: readonly Text[]): readonly string[] {
  if (kind !== 'network' && kind !== 'mcp') return [];
  return texts.flatMap(({ key, text }) =>
    URL_KEY.test(key) && text.includes('?') && requestDeed({ method: 'GET', url: text, body: '' }) !== null
      ? [`curl ${shellQuoted(text)}`]
      : [],
  );
}

/** Words that are commands of a program, but also names of other programs. */
const OWN_WORDS = new Set(
  'init exec run ps rm cp mv kill top wait login logs diff push pull config type time test export import sort get set info eval help version attach build clean show tag watch apply edit install ping echo keys monitor shutdown unlink rename'.split(
    ' ',
  ),
);

function isOwnWord(line: string): boolean {
  return OWN_WORDS.has(line.trim().split(/\s+/, 1)[0] ?? '');
}

/** Types into a running program, which may be a shell. */
const MAY_TYPE = /interact[_-]?with/i;

/** Types into a running program, which may be a shell. */
const TYPES =
  /(?:write|send|type|input|feed)[_-]?(?:to[_-]?)?(?:bash|power_?shell|shell|terminal|console|stdin|pty|tty|process|session|command|keys|input)/i;
const TYPED_KEY = /^(?:input|chars|characters|keys|text|data|stdin|content)$/i;

function typedBy(verb: string, texts: readonly Text[]): readonly string[] {
  if (TYPES.test(verb)) return typed(texts);
  return MAY_TYPE.test(verb) ? typed(texts).filter(startsProgram) : [];
}

/** Keys such as `{enter}` end a line. */
function typed(texts: readonly Text[]): string[] {
  return texts
    .filter(({ key }) => TYPED_KEY.test(key))
    .map(({ text }) => text.replace(/\{[a-z]+\}|\r\n?/gi, '\n').trim())
    .filter((text) => text !== '');
}

const STARTS_CONTAINER = /(?:run|create|start)_?container|container_?(?:run|create)/i;
const MOUNT_KEY = /^(?:volumes?|binds?|mounts?)$/i;

/** A container tool starts what its arguments say, so their isolation options count. */
function containerLine({ input }: ToolCall, texts: readonly Text[]): string {
  const mounts = texts.filter(({ key, text }) => MOUNT_KEY.test(key) && text.includes(':'));
  const spaces = ['network', 'pid', 'ipc'].filter((name) => {
    const value = input[`${name}_mode`] ?? input[name];
    return value === 'host';
  });
  return [
    'docker run',
    ...(input.privileged === true ? ['--privileged'] : []),
    ...spaces.map((name) => `--${name}=host`),
    ...mounts.map(({ text }) => `-v ${shellQuoted(text)}`),
    typeof input.image === 'string' ? shellQuoted(input.image) : 'image',
  ].join(' ');
}

/** Program and arguments may be separate. In a tool that runs nothing, `command` may mean something else. */
function commands({ input }: ToolCall, runs: boolean, texts: readonly Text[]): string[] {
  const args = Array.isArray(input.args) ? input.args.filter((one) => typeof one === 'string') : [];
  const rest = args.map((one) => ` ${shellQuoted(one)}`).join('');
  const lists = Object.entries(input).flatMap(([key, value]) =>
    COMMAND_KEY.test(key) && isWords(value) ? value.map(shellQuoted).join(' ') : [],
  );
  return [
    ...lists.filter((line) => runs || startsProgram(line)),
    ...texts
      .filter(({ key, text }) => COMMAND_KEY.test(key) && (runs || startsProgram(text)))
      .map(({ text }) => text + rest),
  ];
}

/** The words of one command, as a list. */
function isWords(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length > 1 &&
    value.every((one) => typeof one === 'string') &&
    (value.every((one) => !/\s/.test(one)) || isKnownTool(baseName(value[0] ?? '')))
  );
}

/** Starts like a program for a web page or a server. */
const SCRIPT = /^\s*(?:export\s+(?:default|const|async|function)|import\s+[\w{*'"]|\/\/|async\s)/;

function startsProgram(text: string): boolean {
  if (SCRIPT.test(text)) return false;
  const [first = '', second] = text.trim().split(/\s+/, 2);
  return second !== undefined && isKnownTool(baseName(first));
}

const SPEAKS_APPLE = /applescript|osascript/i;

const SHELL_CELL = new RegExp(`^%%${ANY_SHELL}\\b`);

/** Notebook cells and interpreter code. Lines that begin with `!` go to the shell. */
function cells({ input, mcp, nativeName }: ToolCall, texts: readonly Text[]): string[] {
  const place = `${mcp?.server ?? ''} ${mcp?.tool ?? nativeName}`;
  const language = String(input.language ?? input.lang ?? '').toLowerCase();
  return texts
    .filter(({ key }) => CODE_KEY.test(key))
    .flatMap(({ text }) => {
      if (language === 'shell' || isShell(language) || SHELL_CELL.test(text))
        return [text.replace(/^%%.*\n?/, '')];
      if (SPEAKS_APPLE.test(place)) return [`osascript -e ${shellQuoted(text)}`];
      const lines = text.split('\n');
      const shell = lines.flatMap((line) => /^\s*!(.+)$/.exec(line)?.[1] ?? []);
      const code = lines.filter((line) => !/^\s*[!%]/.test(line)).join('\n');
      return [...shell, ...(code.trim() === '' ? [] : [`${interpreterOf(language)} ${shellQuoted(code)}`])];
    });
}

function interpreterOf(language: string): string {
  return /^(?:js|javascript|node|ts|typescript)$/.test(language) ? 'node -e' : 'python3 -c';
}
