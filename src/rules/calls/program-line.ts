import { wordsOf } from '../../doors/text-words.ts';
import { entryFor, programServedBy } from '../../knowledge/load.ts';
import type { ToolCall } from '../../model/tools.ts';
import { shellQuoted, shellWord } from '../../platform/shell-words.ts';

/** A tool whose name only says that it runs something. */
const RUNNER = new Set(
  'run exec execute command commands cmd cli call generic raw invoke do eval'.split(' '),
);
/** These run elsewhere, or their arguments identify them. */
const OTHERWISE = /(?:^| )(?:exec|run|create|attach|cp|logs|reset)(?: |$)/;

/** Argument names in the order of a command line. */
const WORD_KEYS = [
  ...['service', 'command', 'cmd', 'subcommand', 'sub_command', 'action', 'operation', 'cli_command'],
  ...['resource_type', 'resourceType', 'kind', 'resource', 'name', 'resource_name', 'resourceName'],
  ...['remote', 'branch', 'container', 'container_id', 'volume', 'files', 'paths', 'address'],
  ...['args', 'arguments', 'argv', 'parameters'],
];
/** Arguments that may hold several words, like a command line. */
const LINES = new Set(['command', 'cmd', 'cli_command', 'args', 'arguments', 'parameters']);
const OPTION_KEYS = new Set(['namespace', 'output', 'region', 'profile', 'selector', 'mode']);

/** The command line of a tool named after a program; null for other tools. */
export function programLine(tool: ToolCall, verb: string): string | null {
  if (tool.kind !== 'mcp') return null;
  const named = wordsOf(verb);
  const isMeant = (word: string) => programServedBy(word) !== undefined;
  const own = named.find(isMeant);
  const program = programServedBy(own ?? wordsOf(tool.mcp?.server ?? '').find(isMeant) ?? '');
  const door = program === undefined ? undefined : entryFor(program)?.doors?.mcp;
  if (program === undefined || door === undefined) return null;
  const rest = named.filter((one) => programServedBy(one) !== program);
  if (door.script !== undefined) return scriptLine(`${program} ${door.script}`, tool, rest);
  if (rest.every((one) => RUNNER.has(one))) return lineOf(program, [], tool.input);
  const kind = door.resources === undefined ? undefined : tool.input[door.resources];
  if (typeof kind === 'string') return resourceLine(program, kind, rest, tool.input);
  const sub = rest.filter((one) => one !== 'cli');
  const isByName = own !== undefined && door.tools === 'by-name' && !OTHERWISE.test(sub.join(' '));
  const isOfServer = door.verbs?.includes(sub[0] ?? '') === true;
  return isByName || isOfServer ? lineOf(program, sub, tool.input) : null;
}

function lineOf(program: string, sub: readonly string[], input: ToolCall['input']): string | null {
  const given = WORD_KEYS.flatMap((key) => wordsUnder(key, input[key]));
  if (sub.length === 0 && given.length === 0) return null;
  if (isOwnLine(given[0] ?? '', program)) return given.join(' ');
  if (sub.length > 0 && given[0] === sub[0]) given.shift();
  // In git push, the branch follows the repository.
  const remote =
    sub[0] === 'push' && input.remote === undefined && input.branch !== undefined ? ['origin'] : [];
  return [program, ...sub, ...remote, ...given, ...optionsIn(input)].join(' ');
}

/** The line already begins with the program. */
function isOwnLine(line: string, program: string): boolean {
  const [first = '', second = ''] = line.split(/\s+/, 2);
  return (first === 'sudo' ? second : first).split('/').at(-1) === program;
}

function wordsUnder(key: string, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').map(shellWord);
  if (typeof value !== 'string' || value === '') return [];
  return [LINES.has(key) ? value : shellWord(value)];
}

function optionsIn(input: ToolCall['input']): readonly string[] {
  return Object.entries(input).flatMap(([key, value]) => {
    const name = wordsOf(key).join('-');
    // With this option the program does nothing, but the tool may not pass it on.
    if (value === true) return /^(?:help|version)$/.test(name) ? [] : [`--${name}`];
    return typeof value === 'string' && OPTION_KEYS.has(name) ? [`--${name}=${shellWord(value)}`] : [];
  });
}

/** For a server that calls everything a resource. It returns the whole content. */
function resourceLine(
  program: string,
  kind: string,
  rest: readonly string[],
  input: ToolCall['input'],
): string | null {
  const { name, namespace, operation } = input;
  const verb = [operation, ...rest].find((word) => word === 'get' || word === 'delete');
  if (verb === undefined) return null;
  const words = [kind, name].flatMap((one) =>
    typeof one === 'string' ? [shellWord(one.toLowerCase())] : [],
  );
  const place = typeof namespace === 'string' ? [`--namespace=${shellWord(namespace)}`] : [];
  return [program, verb, ...words, ...place, ...(verb === 'get' ? ['--output=yaml'] : [])].join(' ');
}

function scriptLine(start: string, { input }: ToolCall, rest: readonly string[]): string | null {
  if (!rest.every((one) => RUNNER.has(one))) return null;
  const script = [input.command, input.script, input.code, input.query, input.eval].find(
    (one) => typeof one === 'string',
  );
  return script === undefined ? null : `${start} ${shellQuoted(String(script))}`;
}
