import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseRules, type RuleProblem, type RuleSet } from './load.ts';
import type { Rule } from './rule.ts';

interface LoadedFile {
  readonly stamp: string;
  readonly rules: readonly Rule[];
  readonly problems: readonly RuleProblem[];
}

/** The rules of a folder, read again when a file changed. */
export interface RuleSource {
  rules(): readonly Rule[];
  problems(): readonly RuleProblem[];
}

/**
 * Looks at the files' times on every call rather than watching: a rule that was just saved holds for the very next
 * tool call, and it costs microseconds.
 */
export function openRules(folder: string): RuleSource {
  let files = new Map<string, LoadedFile>();
  let current: RuleSet = { rules: [], problems: [] };

  function refresh(): RuleSet {
    const names = ruleFiles(folder);
    let changed = names.length !== files.size;
    const next = new Map<string, LoadedFile>();
    for (const path of names) {
      const before = files.get(path);
      const stamp = stampOf(path);
      if (stamp === null || before?.stamp === stamp) {
        if (before) next.set(path, before);
        continue;
      }
      changed = true;
      next.set(path, reload(path, stamp, before));
    }
    files = next;
    if (changed) {
      const all = [...files.values()];
      current = { rules: all.flatMap((file) => file.rules), problems: all.flatMap((file) => file.problems) };
    }
    return current;
  }

  return { rules: () => refresh().rules, problems: () => refresh().problems };
}

/** A file that was good and is now broken keeps its old rules: a slip of the keyboard must not lift a guard. */
function reload(path: string, stamp: string, before: LoadedFile | undefined): LoadedFile {
  const { rules, problems } = parseRules(readFileSync(path, 'utf8'), path);
  if (problems.length > 0 && before && before.rules.length > 0) {
    return { stamp, rules: before.rules, problems };
  }
  return { stamp, rules, problems };
}

function ruleFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
    return names.sort().map((name) => join(folder, name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function stampOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs}:${stat.size}:${stat.ino}` : null;
}
