import type { Effect, SimpleCommand, Word } from '../../shell/analysis.ts';
import { pathRef } from '../../shell/places/paths.ts';
import { tail } from '../../shell/word.ts';
import { renamed } from './renamed.ts';

const WRITES_TO = '--output-last-message';

/** What `hookline exec` starts and writes. */
interface ExecCalls {
  readonly commands: readonly SimpleCommand[];
  readonly effects: readonly Effect[];
}

/**
 * `hookline exec agent "…" -- --option` starts `agent --option`, and is judged as if the agent was started by its own
 * name; so is the file that it writes.
 *
 * @param programs of agents
 */
export function execCalls(
  commands: readonly SimpleCommand[],
  programs: readonly string[],
  home: string | null,
): ExecCalls {
  if (!commands.some(isExec)) return NOTHING;
  const calls = commands
    .map((command, index) => ({ command, index }))
    .filter(({ command }) => isExec(command));
  return {
    commands: calls.flatMap(({ command }) => agentsStarted(command, programs)),
    effects: calls.flatMap(({ command, index }) => writtenFiles(command, index, home)),
  };
}

const NOTHING: ExecCalls = { commands: [], effects: [] };

function isExec({ tool, argv }: SimpleCommand): boolean {
  return tool === 'hookline' && argv.slice(1).some(({ text }) => text === 'exec' || text === null);
}

function agentsStarted(command: SimpleCommand, programs: readonly string[]): readonly SimpleCommand[] {
  const { argv } = command;
  const end = argv.findIndex(({ template }) => template === '--');
  const words = new Set(argv.slice(1, end === -1 ? undefined : end).map(({ text }) => text));
  const named = programs.filter((program) => words.has(program));
  // An agent known only at run time may be any of them.
  return (named.length > 0 ? named : programs).map((program) =>
    renamed(command, program, end === -1 ? argv.length - 1 : end),
  );
}

function writtenFiles(command: SimpleCommand, index: number, home: string | null): readonly Effect[] {
  const { argv, cwd, within, guessed } = command;
  const files = argv.flatMap((word, at): readonly Word[] => {
    if (word.template.startsWith(`${WRITES_TO}=`)) return [tail(word, WRITES_TO.length + 1)];
    const next = argv[at + 1];
    return word.template === WRITES_TO && next ? [next] : [];
  });
  return files.map((word) => ({
    kind: 'write',
    ...pathRef(word, { cwd, home: home ?? '~', ...(within && { within }) }),
    append: false,
    below: false,
    command: index,
    certainty: guessed ? 'likely' : 'certain',
  }));
}
