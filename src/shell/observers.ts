import type { Option } from './analysis.ts';
import { type OptionTable, optionTable } from './options.ts';
import { PROGRAMS } from './reading/programs.ts';

/**
 * The one list of programs that change nothing, by why that is so. Who asks about a command takes from it the part
 * that answers the question: whether it writes, whether all of its effects are known, whether an option is harmless.
 */
const OBSERVERS = {
  /** Their words are text, whatever they look like: no option of theirs names a file or a program. */
  text: ': true false echo printf test [ [[ sleep seq expr yes tty clear pwd basename dirname whoami printenv',
  /** They tell about the machine. */
  machine:
    'ps pgrep pidof lsof netstat ss id who w last uptime free df hostname uname lsblk lscpu lsusb lspci lsmod ' +
    'nproc which whereis iostat vmstat top htop getent locate type groups arch',
  /** They tell about the machine; some change it, or write a file, with words for which they have effects. */
  settings:
    'date dmesg journalctl ifconfig updatedb blkid ncdu lvs vgs pvs lvdisplay vgdisplay pvdisplay lshw getcap ' +
    'sestatus aa-status iotop iftop',
  /** They read files; those with a closed table of options are in `PROGRAMS`. */
  files:
    'ag ack zgrep b2sum colordiff more bat exa eza lsd man help getfacl lsattr yamllint shellcheck base64 base32 bc',
  /** Of the shell: what they do is done to the shell, and what they run stands in the line. */
  shell:
    'cd pushd popd dirs export declare typeset local readonly unset set shopt alias unalias read mapfile readarray let eval ' +
    'return break continue exit shift trap wait jobs fg bg disown umask ulimit getopts hash command builtin exec source . ' +
    'if while until for case function history xargs env hookline kill pkill killall',
} as const;

const namesOf = (...kinds: (keyof typeof OBSERVERS)[]): readonly string[] =>
  kinds.flatMap((kind) => OBSERVERS[kind].split(' '));

/** Programs that read, unless an option, a second file or a program text of theirs says otherwise: then an effect does. */
export const SIFTERS: ReadonlySet<string> = new Set(
  'sort uniq sed awk find fd less tree xxd yq json.tool'.split(' '),
);

/** Programs that write none of the files that their words name. */
export const READERS: ReadonlySet<string> = new Set(
  [...namesOf('text', 'machine', 'files', 'shell'), 'date', ...Object.keys(PROGRAMS)].filter(
    (name) => !SIFTERS.has(name),
  ),
);

/** Programs that tell about the machine, or change it by effects that are known. */
export const LOOKERS: readonly string[] = namesOf('machine', 'settings');

const TEXT_ONLY: ReadonlySet<string> = new Set(namesOf('text'));
/** Program texts stand in their options. */
const SCRIPTED: ReadonlySet<string> = new Set(['sed', 'awk', 'jq']);

const closed = new Map<string, OptionTable>();
for (const [name, { options = '' }] of Object.entries(PROGRAMS))
  if (!SCRIPTED.has(name)) closed.set(name, optionTable(options));

/** Whether all options of a program are known that leave it one that only reads. */
export const isClosed = (tool: string): boolean => closed.has(tool) && !TEXT_ONLY.has(tool);

/** Whether an option leaves a program that reads one that does; null where nobody has listed its options. */
export function isReadingOption(tool: string, { name, raw }: Option): boolean | null {
  if (TEXT_ONLY.has(tool)) return true;
  const table = closed.get(tool);
  if (table === undefined) return null;
  // By its written form: what is an abbreviation to us may be another option to the program.
  const isLong = raw.startsWith('--');
  const written = isLong ? raw.slice(2).replace(/=.*$/s, '') : name.replace(/^--?/, '');
  if (isLong) return table.long.has(written);
  return table.short.has(written) || table.long.has(written);
}
