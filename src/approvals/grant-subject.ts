import { resolve } from 'node:path';
import { callTitle } from '../model/subject.ts';
import { oneLine } from '../model/text.ts';
import type { McpTarget, ToolCall } from '../model/tools.ts';
import { sha256 } from '../platform/sha256.ts';
import { analyse } from '../shell/analyse.ts';
import type { Analysis, SimpleCommand } from '../shell/analysis.ts';
import { isBareCommand } from '../shell/shape.ts';
import { canonicalJson } from './canonical-json.ts';

/**
 * What exactly a person allowed or denied, so narrow that nothing else matches: the whole command line and how it is
 * run, the real files of a file tool, the arguments of an MCP tool, the host of a fetch.
 */
export interface Subject {
  /** Equal for the same subject, on every agent. */
  readonly key: string;
  /** For display. */
  readonly text: string;
  /** What it covers, in a sentence. */
  readonly covers: string;
}

/** What the subject of a call depends on besides the call. */
export interface SubjectWorld {
  readonly home: string | null;
  /** Resolves symbolic links, as far as the path exists. */
  real(path: string): string;
  /** Arguments of a shell tool that change how its command runs; empty for an ordinary run. */
  runOptions(source: string, tool: ToolCall): Readonly<Record<string, unknown>>;
}

/** A call with its directory and agent. */
export interface SubjectCall {
  readonly tool: ToolCall;
  readonly source: string;
  readonly cwd: string | null;
}

/** Limit for arguments that aren't a command. */
const LONGEST = 200;

/** Null for a call that is unknown before it runs: only this one call can be allowed. */
export function grantSubject(call: SubjectCall, world: SubjectWorld): Subject | null {
  const { tool } = call;
  if (!isExact(tool.input)) return null;
  if (tool.mcp) return mcpSubject(tool.mcp, tool.input);
  if (tool.kind === 'shell') return commandSubject(call, world);
  if (tool.files.length > 0) return fileSubject(call, world);
  const { url } = tool.input;
  if (tool.kind === 'network' && typeof url === 'string' && URL.canParse(url)) {
    const { host } = new URL(url);
    return {
      key: `fetch ${host}`,
      text: `${tool.name} ${host}`,
      covers: `Every page of ${host}, on every agent.`,
    };
  }
  return {
    key: `${tool.name} ${hash(canonicalJson(tool.input))}`,
    text: oneLine(callTitle(tool), LONGEST),
    covers: `${tool.name} with exactly these arguments.`,
  };
}

function mcpSubject({ server, tool }: McpTarget, input: ToolCall['input']): Subject {
  const given = canonicalJson(input);
  return {
    key: `mcp ${server}/${tool} ${hash(given)}`,
    text: oneLine(`${server}/${tool} ${given}`, LONGEST),
    covers: `The MCP tool ${server}/${tool} with exactly these arguments.`,
  };
}

/** One MCP tool, or all tools of a server, with any arguments. Only on explicit request. */
export function widerSubject({ mcp }: ToolCall, reach: 'tool' | 'server'): Subject | null {
  if (!mcp) return null;
  const text = reach === 'tool' ? `${mcp.server}/${mcp.tool}` : `${mcp.server}/*`;
  const what = reach === 'tool' ? `The MCP tool ${text}` : `Every tool of the MCP server ${mcp.server}`;
  return { key: `mcp ${text}`, text, covers: `${what}, with any arguments.` };
}

/** Writing and editing a file is the same right; reading is a weaker one, and deleting a different one. */
const FILE_RIGHT = {
  read: 'read',
  create: 'write',
  write: 'write',
  edit: 'write',
  delete: 'delete',
  move: 'move',
} as const;

function fileSubject({ tool, cwd }: SubjectCall, world: SubjectWorld): Subject {
  // Links are resolved each time, because a later link may lead to a file outside the grant.
  const place = (path: string) => world.real(cwd === null ? path : resolve(cwd, path));
  const touched = tool.files.map(
    ({ op, path, to }) => [FILE_RIGHT[op], place(path), to === undefined ? '' : place(to)] as const,
  );
  const words = touched.map(([right, path, to]) => `${right} ${path}${to && ` to ${to}`}`);
  return {
    key: `files ${touched
      .map((parts) => parts.map(unmistakable).join(' '))
      .sort()
      .join('\n')}`,
    text: callTitle(tool),
    covers: `To ${words.join(', ')}, with any content, but not through a link.`,
  };
}

/** A path with a space isn't two paths. Paths without spaces keep their form, so that older denials still apply. */
function unmistakable(part: string): string {
  return /[\s"]/.test(part) ? JSON.stringify(part) : part;
}

/** Around a line. Other invisible characters (a carriage return, a no-break space) are part of the last word. */
const IGNORED_BY_SHELL = ' \t\n';

function withoutMargins(line: string): string {
  let [start, end] = [0, line.length];
  while (start < end && IGNORED_BY_SHELL.includes(line.charAt(start))) start += 1;
  while (end > start && IGNORED_BY_SHELL.includes(line.charAt(end - 1)) && line[end - 2] !== '\\') end -= 1;
  return line.slice(start, end);
}

function commandSubject({ tool, source }: SubjectCall, world: SubjectWorld): Subject | null {
  const { home } = world;
  if (tool.command === null) return null;
  const line = withoutMargins(tool.command);
  const parts = commandKey(analyse(line, home === null ? {} : { home, env: { HOME: home } }));
  if (parts === null) return null;
  // Spelling is irrelevant only for a single command: everything around it is part of what it does.
  const key = isBareCommand(line) ? parts : `${parts}\n${line}`;
  const options = world.runOptions(source, tool);
  const named = Object.entries(options).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return {
    key: [
      ...(tool.name === 'Bash' ? [] : [tool.name]),
      ...(named.length === 0 ? [] : ['with', canonicalJson(options)]),
      key,
    ].join(' '),
    text: [line, ...named.map((one) => `(${one})`)].join(' '),
    covers: `Exactly this command${named.length === 0 ? '' : `, run with ${named.join(', ')}`}, with no other options or commands.`,
  };
}

/** Spelling is irrelevant, everything else isn't. */
function commandKey({ coverage, commands }: Analysis): string | null {
  if (coverage !== 'complete' || commands.length === 0) return null;
  const parts = commands.map(partOf);
  return parts.includes(null) ? null : `sh ${JSON.stringify(parts)}`;
}

function partOf(command: SimpleCommand): unknown {
  const { argv, assignments, redirects, via, place, pipeline, stdin, guessed } = command;
  if (guessed || argv.some(({ text }) => text === null) || assignments.some(({ value }) => value === null))
    return null;
  if (redirects.some(({ target }) => target.text === null) || argv.some(({ glob }) => glob)) return null;
  return [
    argv.map(({ text }) => text),
    assignments.map(({ name, value }) => [name, value]),
    redirects.map(({ operator, target }) => [operator, target.text]),
    via,
    place,
    pipeline?.index ?? 0,
    stdin.from === 'here' ? stdin.text : stdin.from,
  ];
}

/** True if numbers are exact. Different large numbers can become equal when parsed. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

function hash(text: string): string {
  return sha256(text).slice(0, 32);
}
