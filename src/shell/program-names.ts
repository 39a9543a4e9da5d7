import { entryFor, nameBehind } from '../knowledge/load.ts';
import type { Entry } from '../knowledge/program.ts';

// How lines name a program, and what its knowledge file says. Nothing here runs code of a program.

/** The description of a program, unless it only says that its arguments are unknown. */
function described(name: string): Entry | undefined {
  const entry = entryFor(name);
  return entry?.arguments === 'unknown' ? undefined : entry;
}

/** `python3.12`, `perl5`. */
const VERSIONED = /^(.*[^-.\d])[-.\d]+$/;
/** `mkfs.ext4`, `kafka-topics.sh`. */
const SUFFIXED = /^(mkfs|newfs|fsck)[._].+$|^(.+)\.(?:exe|cmd|bat|com|sh)$/;

/** The program's name without its directory; `=rm` is how zsh says "the rm in my path". */
export function baseName(word: string): string {
  const path = word.startsWith('=') && word.length > 1 ? word.slice(1) : word;
  const slash = Math.max(
    path.lastIndexOf('/'),
    /^[A-Za-z]:\\|\\\w+\.exe$/i.test(path) ? path.lastIndexOf('\\') : -1,
  );
  return slash < 0 || slash === path.length - 1 ? path : path.slice(slash + 1);
}

/** The canonical name of a program, or its own name if it is not known. */
export function toolName(name: string): string {
  if (described(name) !== undefined) return name;
  const alias = nameBehind(name);
  if (alias !== undefined) return alias;
  const versioned = VERSIONED.exec(name)?.[1];
  if (versioned !== undefined && entryFor(versioned)?.versions) return versioned;
  const suffixed = SUFFIXED.exec(name);
  if (suffixed) {
    const bare = suffixed[1] ?? suffixed[2] ?? name;
    if (bare !== name && (described(bare) !== undefined || /\.(?:exe|com)$/i.test(name)))
      return toolName(bare);
  }
  // macOS and Windows file systems treat `RM` and `rm` as the same name.
  const lower = name.toLowerCase();
  return lower !== name && (described(lower) !== undefined || SUFFIXED.test(lower)) ? toolName(lower) : name;
}

/** The same for a name as written. */
export function describedAs(name: string): Entry | undefined {
  return described(name) ?? described(toolName(name));
}

/** True if the use of the program's arguments is known. */
export function isKnownTool(name: string): boolean {
  return describedAs(name) !== undefined;
}

/** True for programs that do more with their arguments than read them. */
export function isActing(name: string): boolean {
  const { effects, verbs, run, wraps } = describedAs(name) ?? {};
  const acts = effects ?? verbs ?? run ?? wraps;
  return acts !== undefined && entryFor(name)?.guess !== 'never';
}
