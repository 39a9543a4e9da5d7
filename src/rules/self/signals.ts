import { entryOf } from '../../model/lookup.ts';
import type { SimpleCommand } from '../../shell/analysis.ts';

/** Parsed arguments of `pkill`, `pgrep`, `pidof`, `killall` and `skill`. */
interface ProcessQuery {
  /** Names or patterns of processes. */
  readonly operands: readonly string[];
  /** True if limited to processes of a parent, a session or a terminal. */
  readonly isNarrow: boolean;
  /** IDs of the selected groups and sessions. */
  readonly groups: readonly string[];
  /** True if the whole command line is matched rather than the name. */
  readonly inLine: boolean;
  readonly isPattern: boolean;
  readonly ignoresCase: boolean;
  /** True if it selects everything except matches. */
  readonly isInverse: boolean;
  /** True if it selects everything of a user or a group. */
  readonly byUser: boolean;
  /** True if a word is known only at run time. */
  readonly isUnknown: boolean;
}

const NAMES =
  'HUP INT QUIT ILL TRAP ABRT IOT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CLD CONT STOP TSTP TTIN TTOU ' +
  'URG XCPU XFSZ VTALRM PROF WINCH IO POLL PWR SYS RTMIN RTMAX';
const SIGNAL = new RegExp(`^-(?:SIG)?(?:(?:${NAMES.split(' ').join('|')})(?:[+-]\\d+)?|\\d+)$`, 'i');

/** Signal 0 only checks whether a process exists, and listing signals needs none. */
export function isHarmlessSignal({ argv }: SimpleCommand): boolean {
  const texts = argv.map(({ text }) => text ?? '');
  return texts.some(
    (text, at) =>
      /^(?:-0|-s0|-n0|--signal=0)$/.test(text) ||
      (at === 1 && /^(?:-[lL]|--list|--table)$/.test(text)) ||
      (text === '0' && /^(?:-s|-n|--signal)$/.test(texts[at - 1] ?? '')),
  );
}

type Mark = 'terminal' | 'group' | 'parent' | 'full' | 'users' | 'pattern' | 'case' | 'inverse';

interface Dialect {
  /** Options with a value, by their letters. */
  readonly valued: string;
  readonly letters: Readonly<Record<string, Mark>>;
}

// procps 4.0 and psmisc 23.7. Oldest, newest, older and the like select some of all: ours may be among them, so they
// don't narrow, and neither does a file with a number.
const PROCPS: Dialect = {
  valued: 'dFgGPqrstuUO',
  letters: {
    g: 'group',
    s: 'group',
    P: 'parent',
    t: 'terminal',
    f: 'full',
    u: 'users',
    U: 'users',
    G: 'users',
    i: 'case',
    v: 'inverse',
  },
};
const PSMISC: Dialect = { valued: 'nosuyZ', letters: { u: 'users', I: 'case', r: 'pattern' } };
const PIDOF: Dialect = { valued: 'odS', letters: {} };
const DIALECTS: Readonly<Record<string, Dialect>> = { killall: PSMISC, pidof: PIDOF };

const LONG: Readonly<Record<string, Mark>> = {
  pgroup: 'group',
  session: 'group',
  parent: 'parent',
  terminal: 'terminal',
  full: 'full',
  euid: 'users',
  uid: 'users',
  user: 'users',
  group: 'users',
  regexp: 'pattern',
  'ignore-case': 'case',
  inverse: 'inverse',
};
const LONG_VALUED =
  /^(?:signal|queue|pidfile|pgroup|group|parent|session|terminal|euid|uid|user|older|older-than|younger-than|runstates|env|ns|nslist|cgroup|context|delimiter|separator|omit-pid)$/;

interface Given {
  readonly mark: Mark;
  readonly value: string;
}

export function readQuery({ tool, argv }: SimpleCommand): ProcessQuery {
  const dialect = entryOf(DIALECTS, tool ?? '') ?? PROCPS;
  const operands: string[] = [];
  const given: Given[] = [];
  let isUnknown = false;
  for (let at = 1; at < argv.length; at += 1) {
    const text = argv[at]?.text ?? null;
    const next = argv[at + 1]?.template ?? '';
    if (text === null) isUnknown = true;
    else if (text === '--') {
      operands.push(...argv.slice(at + 1).flatMap((word) => word.text ?? []));
      isUnknown ||= argv.slice(at + 1).some((word) => word.text === null);
      break;
    } else if (text.startsWith('--')) at += long(text, next, given);
    else if (text.startsWith('-') && text !== '-' && !SIGNAL.test(text))
      at += cluster(text, next, dialect, given);
    else if (!text.startsWith('-')) operands.push(text);
  }
  const has = (mark: Mark) => given.some((one) => one.mark === mark);
  const values = (mark: Mark) => given.flatMap((one) => (one.mark === mark ? one.value.split(',') : []));
  // Orphans belong to the first process, and so does a daemon.
  const isOfFirst = values('parent').includes('1');
  return {
    operands,
    // A daemon has no terminal, written as a question mark or a dash.
    isNarrow:
      (has('terminal') && !/[?-]/.test(values('terminal').join())) ||
      has('group') ||
      (has('parent') && !isOfFirst),
    groups: values('group'),
    inLine: has('full'),
    isPattern: tool === 'pkill' || tool === 'pgrep' || has('pattern'),
    ignoresCase: has('case'),
    isInverse: has('inverse'),
    byUser: has('users') || isOfFirst,
    isUnknown,
  };
}

/** Returns how many further words it takes. */
function long(text: string, next: string, given: Given[]): number {
  const [, name = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const takesNext = value === undefined && LONG_VALUED.test(name);
  const mark = Object.hasOwn(LONG, name) ? LONG[name] : undefined;
  if (mark) given.push({ mark, value: value ?? next });
  return takesNext ? 1 : 0;
}

/** Letters behind one dash. Returns how many further words they take. */
function cluster(text: string, next: string, { valued, letters }: Dialect, given: Given[]): number {
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    const hasValue = valued.includes(letter);
    const rest = text.slice(at + 1);
    const mark = letters[letter];
    if (mark) given.push({ mark, value: rest === '' ? next : rest });
    if (hasValue) return rest === '' ? 1 : 0;
  }
  return 0;
}
