import { UNKNOWN } from '../../shell/analysis.ts';
import type { Facts } from '../facts.ts';

const DEEPEST = 50;

/**
 * Directories that a project's `.gitignore` names one by one, as absolute paths. Excludes patterns and anything
 * re-included later, and everything if the session wrote the file.
 */
export function ignoredIn(project: string, { event, world, memory, real }: Facts): readonly string[] {
  const file = `${project}/.gitignore`;
  if (memory.files.before(event, world, real)?.originsOf(file) !== undefined) return [];
  const text = world.scriptText?.(file) ?? '';
  if (text.includes(UNKNOWN)) return [];
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const taken = new Set<string>();
  for (const line of lines.filter((one) => one.startsWith('!'))) {
    const name = nameIn(line.slice(1));
    // `!*` and similar may re-include anything.
    if (name === null) return [];
    const parts = name.split('/');
    if (parts.length > DEEPEST) return [];
    for (const at of parts.keys()) taken.add(parts.slice(0, at + 1).join('/'));
  }
  return lines.flatMap((line) => {
    const name = nameIn(line);
    return name === null || taken.has(name) ? [] : [`${project}/${name}`];
  });
}

/** `build` of `/build/`; null for a pattern, a comment or an empty line. */
function nameIn(line: string): string | null {
  const name = line.replace(/^\//, '').replace(/\/(?:\*{1,2})?$/, '');
  return /^[\w.@-][\w.@/-]*$/.test(name) ? name : null;
}
