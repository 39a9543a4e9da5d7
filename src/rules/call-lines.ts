import type { ToolCall } from '../model/tools.ts';
import { shellQuoted } from '../platform/shell-words.ts';
import { baseName, isKnownTool } from '../shell/tools/registry.ts';
import type { Text } from './call-facts.ts';

const COMMAND_KEY = /^(?:command(?:_?line)?s?|cli_?command|cmd|script|shell(?:_?command)?|bash)$/i;
const CODE_KEY = /^(?:code|source(?:_?code)?|snippet|cell|new_source)$/i;
const SQL_KEY = /^(?:sql|query|queries|statements?)$/i;

const RUNS = /run|exec|shell|terminal|bash|command|process|spawn|eval/i;
/** Code that runs in a page cannot do anything here. */
const IN_A_PAGE = /browser|page|playwright|puppeteer|chrome|devtools|selenium/i;
const SPEAKS_SQL =
  /sql|postgres|\bpg(?:[_-]|\b)|maria|database|(?:\b|_)db(?:[_-]|\b)|supabase|neon|snowflake|bigquery|clickhouse|duckdb|redshift|oracle/i;

/** The command lines that a tool's call comes to: what it runs, or what would do the same in a shell. */
export function linesIn(tool: ToolCall, verb: string, texts: readonly Text[]): string[] {
  if (tool.name === 'NotebookEdit') return tool.input.cell_type === 'markdown' ? [] : cells(tool, texts);
  // A tool of the agent's own that we have never seen may run what it is given as well as a server's.
  if (tool.kind !== 'mcp' && tool.kind !== 'other' && tool.kind !== 'shell') return [];
  const place = `${tool.mcp?.server ?? ''} ${verb}`;
  return [
    ...commands(tool, tool.kind === 'shell' || (RUNS.test(verb) && !IN_A_PAGE.test(place)), texts),
    ...(TYPES.test(verb) && !IN_A_PAGE.test(place) ? typed(texts) : []),
    ...(RUNS.test(verb) && !IN_A_PAGE.test(place) ? cells(tool, texts) : []),
    ...texts
      .filter(({ key }) => SQL_KEY.test(key) && (key.toLowerCase() === 'sql' || SPEAKS_SQL.test(place)))
      .map(({ text }) => `psql -c ${shellQuoted(text)}`),
    ...(STARTS_CONTAINER.test(verb) ? [containerLine(tool, texts)] : []),
  ];
}

/** Into a program that runs already, which may well be a shell. */
const TYPES =
  /(?:write|send|type|input|feed)[_-]?(?:to[_-]?)?(?:bash|power_?shell|shell|terminal|console|stdin|pty|tty|process|session|command|keys|input)/i;
const TYPED_KEY = /^(?:input|chars|characters|keys|text|data|stdin|content)$/i;

/** Keys such as `{enter}` end a line. */
function typed(texts: readonly Text[]): string[] {
  return texts
    .filter(({ key }) => TYPED_KEY.test(key))
    .map(({ text }) => text.replace(/\{[a-z]+\}|\r\n?/gi, '\n').trim())
    .filter((text) => text !== '');
}

const STARTS_CONTAINER = /(?:run|create|start)_?container|container_?(?:run|create)/i;
const MOUNT_KEY = /^(?:volumes?|binds?|mounts?)$/i;

/** A server that starts containers does so with what it is given; how they are kept apart from the machine counts. */
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

/** A program and its arguments may stand apart. `command` may be a word of the tool's own where it runs nothing. */
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

/** The words of one command, each by itself. */
function isWords(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length > 1 &&
    value.every((one) => typeof one === 'string' && !/\s/.test(one))
  );
}

function startsProgram(text: string): boolean {
  const [first = '', second] = text.trim().split(/\s+/, 2);
  return second !== undefined && isKnownTool(baseName(first));
}

/** Cells of a notebook, and code for an interpreter. Lines that begin with `!` are for the shell. */
function cells({ input }: ToolCall, texts: readonly Text[]): string[] {
  const language = String(input.language ?? input.lang ?? '').toLowerCase();
  return texts
    .filter(({ key }) => CODE_KEY.test(key))
    .flatMap(({ text }) => {
      if (/^(?:ba|z)?sh$|^shell$/.test(language) || /^%%(?:ba|z)?sh\b/.test(text))
        return [text.replace(/^%%.*\n?/, '')];
      const lines = text.split('\n');
      const shell = lines.flatMap((line) => /^\s*!(.+)$/.exec(line)?.[1] ?? []);
      const code = lines.filter((line) => !/^\s*[!%]/.test(line)).join('\n');
      return [...shell, ...(code.trim() === '' ? [] : [`${interpreterOf(language)} ${shellQuoted(code)}`])];
    });
}

function interpreterOf(language: string): string {
  return /^(?:js|javascript|node|ts|typescript)$/.test(language) ? 'node -e' : 'python3 -c';
}
