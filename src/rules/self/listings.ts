import type { SimpleCommand } from '../../shell/analysis.ts';
import type { OwnProcess } from './processes.ts';

/** `/proc`, or the directory of every process. */
const ALL_PROCESSES = /^\/proc\/?(?:$|[^/]*[*?[])/;

const letter = (text: string): string | undefined => /^[-+]([a-zA-Z])/.exec(text)?.[1];

/** `find /proc`, `grep -l x /proc/*\/cmdline`, and nothing that names another process alone. */
export function looksThroughProcesses({ argv, cwd }: SimpleCommand, { pid }: OwnProcess): boolean {
  const isHere = cwd === '/proc';
  return argv.slice(1).some(({ template }) => {
    const path =
      isHere && /^(?:\.$|\.\/|[^-/])/.test(template) ? `/proc/${template.replace(/^\.\/?/, '')}` : template;
    return ALL_PROCESSES.test(path) || path.startsWith(`/proc/${pid}/`) || path === `/proc/${pid}`;
  });
}

/** Options of lsof that select by anything but the user; each may be bundled, as in `-ti`. */
const CHOOSES = /[icpdgsDN]/;

/**
 * True if lsof lists every process, or all of a user or with a socket. Its selections are combined, and without any it
 * lists everything.
 */
export function listsAll({ argv }: SimpleCommand): boolean {
  const texts = argv.slice(1).map(({ text }) => text ?? '');
  const has = (one: string) => texts.some((text) => new RegExp(`^-[a-zA-Z]*${one}`).test(text));
  const isBoth = texts.some((text) => /^-[a-zA-Z]*a/.test(text));
  const chooses = texts.some(
    (text, at) =>
      (letter(text) !== undefined && CHOOSES.test(text.slice(1).replace(/[^a-zA-Z].*/s, ''))) ||
      (!/^[-+]/.test(text) && !/^-[a-zA-Z]*[u]$/.test(texts[at - 1] ?? '')),
  );
  if (!chooses) return true;
  return !isBoth && (has('u') || has('U'));
}
