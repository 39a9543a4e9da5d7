import { rememberPer } from '../platform/bounded.ts';
import type { Analysis, SimpleCommand } from '../shell/analysis.ts';
import { makeWord } from '../shell/word.ts';
import { wordMatch } from './match/words.ts';

/** A process of Hookline's own. */
export interface OwnProcess {
  readonly pid: number;
  /** What the system calls it: of its executable, and of the process. */
  readonly names: readonly string[];
  /** Its command line. */
  readonly line: string;
  readonly port: number | null;
}

const SIGNALS: ReadonlySet<string> = new Set([
  ...['kill', 'pkill', 'killall', 'skill', 'fuser', 'kill-port', 'xkill'],
  // These take over a process, or take away what it needs.
  ...['gdb', 'lldb', 'strace', 'ltrace', 'prlimit'],
]);
const SEARCHES: ReadonlySet<string> = new Set(['pgrep', 'pidof', 'lsof', 'ss', 'netstat', 'fuser']);

/**
 * The commands of a line that stop one of Hookline's own processes, each once more as `kill hookline`: by number, by a
 * name that fits, by a port, or as what a search in the same line finds.
 */
export function killsOfOwn(analysis: Analysis, processes: () => readonly OwnProcess[]): SimpleCommand[] {
  const { commands } = analysis;
  const { killing, inCode } = signalsIn(analysis);
  if (killing.length === 0 && inCode.length === 0) return [];
  const own = processes();
  const isOwn = (test: (one: OwnProcess) => boolean) => own.some(test);
  const searches = commands.filter(({ tool }) => SEARCHES.has(tool ?? ''));
  const isFound = isOwn((one) => searches.some((command) => finds(command, one, commands)));
  const stopping = killing.filter(
    (command) => isOwn((one) => stops(command, one)) || (isFound && takesWhatIsFound(command)),
  );
  const byCode = inCode.flatMap(({ command, text }) =>
    isOwn(({ pid }) => new RegExp(`\\b${pid}\\b`).test(text)) ? (commands[command] ?? []) : [],
  );
  return [...stopping, ...byCode].map(asKill);
}

/** The same for a line however often it is run. */
const signalsIn = rememberPer(({ commands, code }: Analysis) => ({
  killing: commands.filter(
    ({ tool, place, inert }) => tool !== null && SIGNALS.has(tool) && place === 'local' && !inert,
  ),
  inCode: code.filter(({ text }) => /kill/i.test(text)),
}));

function asKill(command: SimpleCommand): SimpleCommand {
  const [name, target] = ['kill', 'hookline'].map((text) => makeWord(text, text));
  if (!name || !target) return command;
  return {
    ...command,
    name: 'kill',
    tool: 'kill',
    argv: [name, target],
    sub: [],
    options: [],
    operands: [target],
  };
}

function takesWhatIsFound({ tool, argv, via }: SimpleCommand): boolean {
  return tool === 'kill' && (via.includes('xargs') || argv.some(({ dynamic }) => dynamic));
}

function stops(command: SimpleCommand, process: OwnProcess): boolean {
  const { tool, argv, operands } = command;
  const byNumber = new RegExp(`^(?:-|-p|--(?:pid|attach)=)?${process.pid}$`);
  if (argv.some(({ text }) => byNumber.test(text ?? ''))) return true;
  if (tool === 'pkill' || tool === 'killall' || tool === 'skill') return finds(command, process, [command]);
  if (tool === 'fuser' && !argv.some(({ template }) => /^(?:-[a-zA-Z]*k|--kill$)/.test(template)))
    return false;
  return (tool === 'fuser' || tool === 'kill-port') && namesPort(operands, process);
}

const LISTENERS: ReadonlySet<string> = new Set(['lsof', 'ss', 'netstat', 'fuser']);

/** Options with which a search is for some of the processes of a name: those of a parent, a user, a terminal. */
const NARROWER = /^--?(?:P|parent|g|pgroup|s|session|t|terminal|n|newest|o|oldest|G|group|ns)$/;

/** A search that prints more than was asked for is sifted by the rest of the line. */
function finds(command: SimpleCommand, process: OwnProcess, line: readonly SimpleCommand[]): boolean {
  const { tool, operands, options } = command;
  if (LISTENERS.has(tool ?? '')) return line.some(({ argv }) => namesPort(argv, process));
  if (options.some(({ name }) => NARROWER.test(name))) return false;
  // Everything that runs as a user, and that is this one as far as anybody knows.
  if (operands.length === 0) return options.some(({ name }) => /^-(?:[uU]|-e?uid|-user)$/.test(name));
  const isPattern = tool === 'pkill' || tool === 'pgrep' || options.some(({ name }) => name === '-r');
  const inLine = options.some(({ name, raw }) => name === '--full' || /^-[a-z]*f/.test(raw));
  const texts = inLine ? [process.line] : process.names;
  return operands.some(({ text }) => {
    if (text === null) return false;
    return isPattern ? texts.some((one) => fits(text, one)) : process.names.includes(text);
  });
}

function namesPort(words: SimpleCommand['argv'], { port }: OwnProcess): boolean {
  return port !== null && words.some(({ template }) => new RegExp(`(?<!\\d)${port}(?!\\d)`).test(template));
}

/** A pattern of pgrep, read generously: what may fit does. */
function fits(pattern: string, text: string): boolean {
  return pattern.split('|').some((part) => {
    const plain = part
      .replace(
        /\\(.)|\[[^\]]*\]|\.\*|\.|[()+{}?*]/g,
        (whole, escaped?: string) => escaped ?? (/^[.[]$|\]$/.test(whole) ? '?' : '*'),
      )
      .replace(/^\^|\$$/g, '');
    const [start, end] = [part.startsWith('^') ? '' : '*', part.endsWith('$') ? '' : '*'];
    return plain !== '' && wordMatch(`${start}${plain}${end}`)(text);
  });
}
