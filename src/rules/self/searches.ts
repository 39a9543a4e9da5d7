import type { SimpleCommand, Word } from '../../shell/analysis.ts';
import { wordMatch } from '../match/word-match.ts';
import { listsAll, looksThroughProcesses } from './listings.ts';
import type { OwnProcess } from './processes.ts';
import { readQuery } from './signals.ts';

/** Programs that print processes, or numbers that may be process IDs. */
const SEARCHES: Readonly<Record<string, (search: SimpleCommand, process: OwnProcess) => boolean>> = {
  pgrep: isQueried,
  pidof: isQueried,
  fuser: (search, process) => namesPort(search.argv, process) || namesFile(search, process),
  lsof: isOpenedBy,
  ss: namesNoOtherPort,
  netstat: namesNoOtherPort,
  ps: isChosen,
  seq: isCountedTo,
  jot: isCountedTo,
  ls: (search, process) => search.cwd === '/proc' || looksThroughProcesses(search, process),
  find: looksThroughProcesses,
  fd: looksThroughProcesses,
  grep: isFoundByText,
  egrep: isFoundByText,
  rg: isFoundByText,
  top: isChosen,
  htop: isChosen,
  pstree: () => true,
  pidstat: () => true,
};

export function isSearch({ tool }: SimpleCommand): boolean {
  return Object.hasOwn(SEARCHES, tool ?? '');
}

/** True if a search prints a process, after the filters in its pipeline. */
export function finds(
  search: SimpleCommand,
  index: number,
  process: OwnProcess,
  commands: readonly SimpleCommand[],
): boolean {
  if (!SEARCHES[search.tool ?? '']?.(search, process)) return false;
  const filters = commands.filter(
    ({ tool, stdin }) => FILTERS.has(tool ?? '') && stdin.sources.includes(index),
  );
  return filters.every((filter) => isLeft(filter, process));
}

export const fileOf = ({ line }: OwnProcess): string => line.split(' ', 1)[0] ?? '';

const FILTERS: ReadonlySet<string> = new Set(['grep', 'egrep', 'rg', 'awk', 'gawk', 'mawk', 'sed']);

/** Files in /proc that are searched for part of a command line. */
function isFoundByText(search: SimpleCommand, process: OwnProcess): boolean {
  return looksThroughProcesses(search, process) && isLeft(search, process);
}

/** True if the filter matches one of the ways in which the process is listed. */
function isLeft(filter: SimpleCommand, process: OwnProcess): boolean {
  const { pid, line, names, port } = process;
  const listed = [line, ...names, String(pid), ...(port === null ? [] : [`127.0.0.1:${port}`])];
  const ignoresCase = filter.argv.some(({ text }) => /^-[a-zA-Z]*i|^--ignore-case$/.test(text ?? ''));
  return patternsOf(filter).every((pattern) => listed.some((text) => fits(pattern, text, ignoresCase)));
}

function patternsOf({ tool, argv, operands }: SimpleCommand): readonly string[] {
  const [first] = operands;
  if (/^(?:e?grep|rg)$/.test(tool ?? '')) {
    // A filter that excludes others, or cuts out part of a line, keeps the process.
    const isOther = argv.some(({ text }) =>
      /^-[a-zA-Z]*[vo]|^--(?:invert-match|only-matching)$/.test(text ?? ''),
    );
    return isOther || !first?.text ? [] : [first.text];
  }
  return [...(first?.text ?? '').matchAll(/\/([^/]+)\//g)].map(([, pattern = '']) => pattern);
}

/** True if the arguments of `pkill`, `pgrep`, `pidof` or `killall` select a process. */
export function isQueried(command: SimpleCommand, process: OwnProcess): boolean {
  const query = readQuery(command);
  const { operands, isNarrow, isPattern, inLine, byUser, isUnknown, ignoresCase, isInverse } = query;
  if (query.groups.includes(String(process.pid))) return true;
  if (isNarrow) return false;
  // Everything of a user, which may be the current one.
  if (operands.length === 0) return byUser && !isUnknown;
  const texts = inLine ? [process.line] : process.names;
  const isMeant = operands.some((text) =>
    isPattern
      ? texts.some((one) => fits(text, one, ignoresCase))
      : isSame(text, process, ignoresCase) || text === fileOf(process),
  );
  return isMeant !== isInverse;
}

function isSame(text: string, { names }: OwnProcess, ignoresCase: boolean): boolean {
  return names.some((name) => name === text || (ignoresCase && name.toLowerCase() === text.toLowerCase()));
}

/** `lsof -c node`, `lsof -i :9000-9200`, `lsof /usr/bin/node` */
function isOpenedBy(search: SimpleCommand, process: OwnProcess): boolean {
  const { argv } = search;
  const begins = argv.flatMap(({ text }, at) => {
    const glued = /^-[a-zA-Z]*c(.+)$/.exec(text ?? '')?.[1];
    return glued ?? (/^-[a-zA-Z]*c$/.test(text ?? '') ? (argv[at + 1]?.text ?? []) : []);
  });
  const isNamed = begins.some((start) => process.names.some((name) => name.startsWith(start)));
  return isNamed || listsAll(search) || namesPort(argv, process) || namesFile(search, process);
}

function namesFile({ argv }: SimpleCommand, process: OwnProcess): boolean {
  return argv.slice(1).some(({ text }) => text === fileOf(process));
}

function namesNoOtherPort({ argv }: SimpleCommand, process: OwnProcess): boolean {
  return namesPort(argv, process) || !argv.slice(1).some(({ template }) => /(?:^|:)\d+$/.test(template));
}

/** `ps` lists every process unless it gets names or numbers. */
function isChosen({ argv }: SimpleCommand, { names, pid }: OwnProcess): boolean {
  const valuesAfter = (option: RegExp) =>
    argv.flatMap(({ text }, at) => (option.test(text ?? '') ? (argv[at + 1]?.text ?? []) : []));
  const named = valuesAfter(/^-C$/);
  const numbers = valuesAfter(/^(?:-[a-zA-Z]*p|--pid)$/).flatMap((list) => list.split(/[,\s]/));
  if (named.length + numbers.length === 0) return true;
  return named.some((name) => names.includes(name)) || numbers.includes(String(pid));
}

function isCountedTo({ tool, operands }: SimpleCommand, { pid }: OwnProcess): boolean {
  const numbers = operands.map(({ text }) => Number(text ?? Number.NaN));
  if (numbers.some(Number.isNaN)) return true;
  const [first = 1, second] =
    tool === 'jot' ? [numbers[1] ?? 1, (numbers[1] ?? 1) + (numbers[0] ?? 0)] : numbers;
  const ends = second === undefined ? [1, first] : [first, numbers.at(-1) ?? second];
  return Math.min(...ends) <= pid && pid <= Math.max(...ends);
}

/** `9123`, `:9123`, `9123/tcp`, and ranges of them. */
export function namesPort(words: readonly Word[], { port }: OwnProcess): boolean {
  if (port === null) return false;
  return words.some(({ template }) =>
    [...template.matchAll(/(?<!\d)(\d{1,5})(?:-(\d{1,5}))?(?!\d)/g)].some(
      ([, from = '', to = from]) => Number(from) <= port && port <= Number(to),
    ),
  );
}

/** A pattern of pgrep or grep, read generously: a possible match counts. */
function fits(pattern: string, text: string, ignoresCase: boolean): boolean {
  if (ignoresCase) return fits(pattern.toLowerCase(), text.toLowerCase(), false);
  return pattern.split('|').some((part) => {
    const plain = part
      .replace(/\\(.)|\[[^\]]*\]|\.\*|\.|[()+{}?*]/g, (whole, escaped?: string) =>
        // `\d` and `\K` are not letters.
        escaped === undefined
          ? /^[.[]$|\]$/.test(whole)
            ? '?'
            : '*'
          : /[a-zA-Z]/.test(escaped)
            ? '*'
            : escaped,
      )
      .replace(/^\^|\$$/g, '');
    const [start, end] = [part.startsWith('^') ? '' : '*', part.endsWith('$') ? '' : '*'];
    return wordMatch(`${start}${plain}${end}`)(text);
  });
}
