import { entryOf } from '../../model/lookup.ts';
import type { Analysis, SimpleCommand, Word } from '../../shell/analysis.ts';
import { namesIn } from '../../shell/placeholders.ts';
import { segmentTest } from '../match/glob.ts';
import { numbersIn } from './code.ts';
import { isCounted } from './flow.ts';
import type { OwnProcess } from './processes.ts';
import { fileOf, isQueried, namesPort } from './searches.ts';
import { isHarmlessSignal } from './signals.ts';

/** How a program's arguments name the process to stop or to take over. */
interface Stopper {
  readonly by: readonly ('number' | 'name' | 'query' | 'port' | 'file' | 'input')[];
  /** Without this word it only reads. */
  readonly needs?: RegExp;
  /** Only a word after this one is a name. */
  readonly nameAfter?: RegExp;
}

const ATTACHES: Stopper = { by: ['number', 'input', 'name'], nameAfter: /^(?:-n|-w|--(?:attach-)?name)$/ };
const INSPECTS: Stopper = { by: ['number'], needs: /^inspect$/ };

const STOPPERS: Readonly<Record<string, Stopper>> = {
  kill: { by: ['number', 'name'] },
  pkill: { by: ['query'] },
  killall: { by: ['query'] },
  skill: { by: ['number', 'query'] },
  'kill-port': { by: ['port'] },
  'tree-kill': { by: ['number'] },
  fkill: { by: ['number', 'name', 'port'] },
  'fkill-cli': { by: ['number', 'name', 'port'] },
  taskkill: { by: ['number', 'name'] },
  fuser: { by: ['port', 'file'], needs: /^(?:-[a-zA-Z]*k|--kill$)/ },
  'start-stop-daemon': { by: ['number', 'name', 'file'], needs: /^(?:-[a-zA-Z]*K|--stop$)/ },
  prlimit: { by: ['number'] },
  nsenter: { by: ['number'] },
  node: INSPECTS,
  nodejs: INSPECTS,
  bun: INSPECTS,
  deno: INSPECTS,
  gdb: ATTACHES,
  gdbserver: ATTACHES,
  lldb: ATTACHES,
  'lldb-server': ATTACHES,
  strace: ATTACHES,
  ltrace: ATTACHES,
  bpftrace: ATTACHES,
  frida: ATTACHES,
  rr: ATTACHES,
  dlv: ATTACHES,
  perf: ATTACHES,
  'py-spy': ATTACHES,
  pyrasite: ATTACHES,
  jattach: ATTACHES,
  'frida-trace': ATTACHES,
  'frida-inject': ATTACHES,
  ndb: ATTACHES,
  'node-inspect': ATTACHES,
  cpulimit: { by: ['number', 'name'], nameAfter: /^(?:-e|--exe)$/ },
  criu: { by: ['number'] },
  reptyr: ATTACHES,
};

const stopperOf = ({ tool, name }: SimpleCommand): Stopper | undefined =>
  entryOf(STOPPERS, tool ?? '') ?? entryOf(STOPPERS, name ?? '');

export function mayStop(command: SimpleCommand): boolean {
  const stopper = stopperOf(command);
  if (stopper === undefined || isHarmlessSignal(command)) return false;
  const { needs } = stopper;
  return needs === undefined || command.argv.some(({ template }) => needs.test(template));
}

/** True for a process ID, as opposed to a port. */
export function isGivenNumber({ argv }: SimpleCommand, { pid }: OwnProcess): boolean {
  return argv.some(({ text }, at) => {
    const [, option = '', value] = /^(?:(--?[\w-]+)=)?(\d+)$/.exec(text ?? '') ?? [];
    const before = option || (argv[at - 1]?.text ?? '');
    return at > 0 && value === String(pid) && !/port/i.test(before) && before !== '-P';
  });
}

export function stops(command: SimpleCommand, process: OwnProcess, analysis: Analysis): boolean {
  const stopper = stopperOf(command);
  const words = command.argv.slice(1);
  const tests = {
    number: () => words.some((word) => meansNumber(word, command, process, analysis)),
    name: () => namesGiven(words, stopper?.nameAfter).some((name) => isNameOf(name, process)),
    query: () => isQueried(command, process),
    port: () => namesPort(words, process),
    file: () => words.some(({ text }) => text === '/' || text === fileOf(process)) || isOnItsDisk(words),
    input: () => numbersIn(command.stdin.text ?? '').includes(process.pid),
  };
  return stopper?.by.some((way) => tests[way]()) ?? false;
}

/** `fuser -km .` selects everything on the same file system, which for removable media is another one. */
function isOnItsDisk(words: readonly Word[]): boolean {
  const texts = words.map(({ text }) => text ?? '');
  if (!texts.some((text) => /^-[a-zA-Z]*m|^--mount$/.test(text))) return false;
  return texts.some(
    (text) => text !== '' && !text.startsWith('-') && !/^\/(?:mnt|media|Volumes|run\/media|srv)\//.test(text),
  );
}

/** `4711`, `04711`, `+4711`, `-4711`, `-p4711`, `--pid=1,4711`. */
const NUMBERS = /^(?:-{1,2}[a-zA-Z-]*[=:]?|:)?[-+]?\d[\d,+-]*$/;

function meansNumber(word: Word, command: SimpleCommand, process: OwnProcess, analysis: Analysis): boolean {
  const { text, raw, template, glob } = word;
  const pid = String(process.pid);
  if (isInRange(raw, process)) return true;
  if (glob) return /^\/proc(?:\/|$)/.test(command.cwd ?? '/proc') && segmentTest(template, false)(pid);
  if (text !== null)
    return /\s/.test(text)
      ? attachesIn(text, process)
      : NUMBERS.test(text) && numbersIn(text).includes(process.pid);
  // Every process has a directory in /proc, and a loop over many numbers covers names, too.
  const made = (word.sources ?? []).flatMap((index) => analysis.commands[index]?.argv ?? []);
  const mark = namesIn(template, ...made.map((one) => one.template));
  const among = analysis.names.get(mark) ?? [];
  return among.some((path) => isAmong(path, pid)) || isCounted(word, analysis);
}

function isAmong(path: string, pid: string): boolean {
  const own = path.replace(/\/$/, '');
  const name = own.slice(own.lastIndexOf('/') + 1);
  return /[*?[]/.test(name) ? segmentTest(name, false)(pid) : name === pid;
}

/** `-ex 'attach 4711'` */
function attachesIn(text: string, { pid }: OwnProcess): boolean {
  return /\battach\b/.test(text) && numbersIn(text).includes(pid);
}

/** `{1000..60000}` */
function isInRange(raw: string, { pid }: OwnProcess): boolean {
  return [...raw.matchAll(/\{(\d+)\.\.(\d+)/g)].some(([, from, to]) => {
    const ends = [Number(from), Number(to)];
    return Math.min(...ends) <= pid && pid <= Math.max(...ends);
  });
}

function namesGiven(words: readonly Word[], after: RegExp | undefined): readonly string[] {
  const texts = words.map(({ text }) => text ?? '');
  return after === undefined ? texts : texts.filter((_, at) => after.test(texts[at - 1] ?? ''));
}

const isNameOf = (text: string, { names }: OwnProcess): boolean =>
  names.includes(text.replace(/\.exe$/i, ''));
