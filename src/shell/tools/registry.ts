import { entryFor, nameBehind } from '../../knowledge/load.ts';
import { knownTool } from '../programs/known.ts';
import type { Tool } from '../tool.ts';

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

/** The name under which a program is known here; its own where it is not. */
export function toolName(name: string): string {
  if (knownTool(name) !== undefined) return name;
  const alias = nameBehind(name);
  if (alias !== undefined) return alias;
  const versioned = VERSIONED.exec(name)?.[1];
  if (versioned !== undefined && entryFor(versioned)?.versions) return versioned;
  const suffixed = SUFFIXED.exec(name);
  if (suffixed) {
    const bare = suffixed[1] ?? suffixed[2] ?? name;
    if (bare !== name && (knownTool(bare) !== undefined || /\.(?:exe|com)$/i.test(name)))
      return toolName(bare);
  }
  // File systems of macOS and Windows do not tell `RM` from `rm`.
  const lower = name.toLowerCase();
  return lower !== name && (knownTool(lower) !== undefined || SUFFIXED.test(lower)) ? toolName(lower) : name;
}

export function findTool(name: string): Tool | undefined {
  return knownTool(name) ?? knownTool(toolName(name));
}

/** Whether it is known what a program does with its arguments. */
export function isKnownTool(name: string): boolean {
  return findTool(name) !== undefined;
}

/** Programs that do something with their arguments, beyond reading them. */
export function isActing(name: string): boolean {
  const tool = findTool(name);
  return (
    tool !== undefined &&
    (tool.run !== undefined || tool.wraps !== undefined) &&
    entryFor(name)?.guess !== 'never'
  );
}
