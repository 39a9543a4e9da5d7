import { rememberPer } from '../../platform/bounded.ts';
import type { Analysis, SimpleCommand, Word } from '../../shell/analysis.ts';
import { isKnownTool } from '../../shell/program-names.ts';
import { isReader } from '../../shell/traits/fully-described.ts';
import { makeWord } from '../../shell/word.ts';
import { maySignal, signals } from './code.ts';
import { takesWhatIsFound } from './flow.ts';
import { finds, isSearch } from './searches.ts';
import { isGivenNumber, mayStop, stops } from './stoppers.ts';

/** One of Hookline's own processes. */
export interface OwnProcess {
  readonly pid: number;
  /** Names of its executable and of the process. */
  readonly names: readonly string[];
  /** Its command line. */
  readonly line: string;
  readonly port: number | null;
}

/**
 * Adds `kill hookline` for each command of a line that stops one of Hookline's processes: by number, by a matching
 * name, by port, by an open file, or as a result of a search in the same line. Adds `attach hookline` for an unknown
 * program that gets its number.
 */
export function killsHookline(
  analysis: Analysis,
  processes: () => readonly OwnProcess[],
): readonly SimpleCommand[] {
  const { commands } = analysis;
  const { killing, inCode, written, given } = signalsIn(analysis);
  if (killing.length + inCode.length + written.length + given.length === 0) return NONE;
  const own = processes();
  const isOwn = (test: (one: OwnProcess) => boolean) => own.some(test);
  const found = commands.flatMap((search, index) =>
    isSearch(search) && isOwn((one) => finds(search, index, one, commands)) ? [index] : [],
  );
  const stopping = killing.filter(
    (command) =>
      isOwn((one) => stops(command, one, analysis)) ||
      found.some((search) => takesWhatIsFound(command, search, analysis)),
  );
  const byCode = inCode.flatMap(({ command, text }) => {
    const by = commands[command];
    const searches = found.some((index) => isStartedBy(command, index, commands));
    return by && (searches || isOwn((one) => signals(text, by, one))) ? [by] : [];
  });
  const byFile = written.flatMap(({ command, path }) =>
    isOwn(({ pid }) => path.startsWith(`/proc/${pid}/`)) ? (commands[command] ?? []) : [],
  );
  const handled = given.filter((command) => isOwn((one) => isGivenNumber(command, one)));
  return [
    ...[...stopping, ...byCode, ...byFile].map((command) => asCall(command, 'kill')),
    ...handled.map((command) => asCall(command, 'attach')),
  ];
}

const NONE: readonly SimpleCommand[] = [];

const isNumber = ({ text }: Word): boolean => /^(?:--?[\w-]+=)?\d+$/.test(text ?? '');

/** Cached per line. Looking up our own processes costs system calls, and most lines stop none. */
const signalsIn = rememberPer(({ commands, code, effects }: Analysis) => ({
  killing: commands.filter((command) => command.place === 'local' && !command.inert && mayStop(command)),
  given: commands.filter(
    ({ tool, place, inert, argv }) =>
      place === 'local' &&
      !inert &&
      tool !== null &&
      !isKnownTool(tool) &&
      !isReader(tool) &&
      argv.some(isNumber),
  ),
  inCode: code.filter(({ text }) => maySignal(text)),
  written: effects.flatMap((effect) =>
    effect.kind === 'write' && effect.path?.startsWith('/proc/')
      ? [{ command: effect.command, path: effect.path }]
      : [],
  ),
}));

/** True if code in one command starts another: `execSync('pgrep node')`. */
function isStartedBy(code: number, index: number, commands: readonly SimpleCommand[]): boolean {
  const [by, started] = [commands[code], commands[index]];
  return by?.name != null && index > code && (started?.via.includes(by.name) ?? false);
}

function asCall(command: SimpleCommand, program: 'kill' | 'attach'): SimpleCommand {
  const [name, target] = [program, 'hookline'].map((text) => makeWord(text, text));
  if (!name || !target) return command;
  return {
    ...command,
    name: program,
    tool: program,
    argv: [name, target],
    sub: [],
    options: [],
    operands: [target],
  };
}
