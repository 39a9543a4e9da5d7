import { createHash } from 'node:crypto';
import type { ToolCall } from '../model/tools.ts';
import { analyse } from '../shell/analyse.ts';
import type { Analysis, SimpleCommand } from '../shell/analysis.ts';

/**
 * What exactly a person said yes or no to, narrow enough that nothing else has the same: for a command line every
 * command in it word by word, for a file tool the tool and its files, for an MCP tool the tool, for a fetch the host.
 */
export interface Subject {
  readonly tool: string;
  /** Equal for the same thing, whichever agent asks. */
  readonly key: string;
  /** For people. */
  readonly text: string;
}

/** Null for a call that cannot be known before it runs: nobody can grant it for more than this once. */
export function subjectOf(tool: ToolCall, home: string | null): Subject | null {
  if (tool.mcp) {
    const name = `${tool.mcp.server}/${tool.mcp.tool}`;
    return { tool: 'mcp', key: `mcp ${name}`, text: name };
  }
  if (tool.kind === 'shell') return tool.command === null ? null : commandSubject(tool.command, home);
  if (tool.files.length > 0) {
    const touched = tool.files.map(({ op, path, to }) => [FILE_RIGHT[op], path, to ?? ''].join(' ')).sort();
    return {
      tool: tool.name,
      key: `files ${touched.join('\n')}`,
      text: `${tool.name} ${tool.files.map(({ path }) => path).join(', ')}`,
    };
  }
  const { url } = tool.input;
  if (tool.kind === 'network' && typeof url === 'string' && URL.canParse(url)) {
    const { host } = new URL(url);
    return { tool: tool.name, key: `fetch ${host}`, text: `${tool.name} ${host}` };
  }
  const input = createHash('sha256').update(JSON.stringify(tool.input)).digest('hex').slice(0, 16);
  return { tool: tool.name, key: `${tool.name} ${input}`, text: tool.name };
}

/** Writing a file and editing it is the same right; reading it is less, deleting it is another. */
const FILE_RIGHT = {
  read: 'read',
  create: 'write',
  write: 'write',
  edit: 'write',
  delete: 'delete',
  move: 'move',
} as const;

function commandSubject(command: string, home: string | null): Subject | null {
  const analysis = analyse(command, home === null ? {} : { home, env: { HOME: home } });
  const key = commandKey(analysis);
  if (key === null) return null;
  // How several commands are joined (`&&`, `||`, a loop) is part of what was asked, so there the spelling counts.
  const whole = analysis.commands.length > 1 ? `${key}\n${command.trim()}` : key;
  return { tool: 'Bash', key: whole, text: command.trim() };
}

/** Spelling does not matter, everything else does. */
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
