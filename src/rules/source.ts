import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type FileOrigin, parseRules, type RuleProblem, type RuleSet } from './load.ts';
import type { Rule } from './rule.ts';

interface LoadedFile {
  /** Null when the file may have changed since without looking different. */
  readonly stamp: string | null;
  readonly rules: readonly Rule[];
  readonly problems: readonly RuleProblem[];
}

/** The rules of a folder, read again when a file changed. */
export interface RuleSource {
  /** Both of the below; the same object as long as nothing has changed. */
  load(): RuleSet;
  rules(): readonly Rule[];
  problems(): readonly RuleProblem[];
}

/**
 * Looks at the files' times on every call rather than watching: a rule that was just saved holds for the very next
 * tool call, and it costs microseconds. Nothing about one file, or the folder, keeps the other rules from holding.
 * A draft takes the place of the file of its name, or stands beside the others.
 */
export function openRules(folder: string, origin?: FileOrigin, draft?: string): RuleSource {
  let files = new Map<string, LoadedFile>();
  let current: RuleSet = { rules: [], problems: [] };
  let listing: { readonly stamp: string; readonly listed: Listed } | null = null;

  /** Listing a folder is dear beside asking whether it has changed. */
  function list(): Listed {
    const stamp = stampOf(folder);
    if (stamp !== null && listing?.stamp === stamp) return listing.listed;
    const listed = withDraft(listFolder(folder), draft);
    listing = stamp === null ? null : { stamp, listed };
    return listed;
  }

  function refresh(): RuleSet {
    const listed = list();
    if (listed.problem !== null) return { rules: current.rules, problems: [listed.problem] };
    let changed = listed.paths.length !== files.size;
    const next = new Map<string, LoadedFile>();
    for (const path of listed.paths) {
      const before = files.get(path);
      const stamp = stampOf(path);
      if (before && stamp !== null && before.stamp === stamp) {
        next.set(path, before);
        continue;
      }
      changed = true;
      next.set(path, reload(path, stamp, before, origin));
    }
    files = next;
    if (changed) {
      const all = [...files.values()];
      current = { rules: all.flatMap((file) => file.rules), problems: all.flatMap((file) => file.problems) };
    }
    return current;
  }

  return { load: refresh, rules: () => refresh().rules, problems: () => refresh().problems };
}

/** A file that was good and is now broken keeps its old rules: a slip of the keyboard must not lift a guard. */
function reload(
  path: string,
  stamp: string | null,
  before: LoadedFile | undefined,
  origin: FileOrigin | undefined,
): LoadedFile {
  const { rules, problems } = readRules(path, origin);
  const kept = problems.length > 0 && before && before.rules.length > 0 ? before.rules : rules;
  return { stamp, rules: kept, problems };
}

function readRules(path: string, origin: FileOrigin | undefined): RuleSet {
  try {
    return parseRules(readFileSync(path, 'utf8'), path, origin);
  } catch (error) {
    return { rules: [], problems: [{ where: path, message: messageOf(error) }] };
  }
}

interface Listed {
  readonly paths: readonly string[];
  readonly problem: RuleProblem | null;
}

function listFolder(folder: string): Listed {
  try {
    if (!existsSync(folder)) return { paths: [], problem: null };
    const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
    return { paths: names.sort().map((name) => join(folder, name)), problem: null };
  } catch (error) {
    return { paths: [], problem: { where: folder, message: messageOf(error) } };
  }
}

function withDraft({ paths, problem }: Listed, draft: string | undefined): Listed {
  if (draft === undefined) return { paths, problem };
  const others = paths.filter((path) => basename(path) !== basename(draft));
  return {
    paths: [...others, draft].sort((a, b) => (basename(a) < basename(b) ? -1 : 1)),
    problem,
  };
}

/** File times have steps of some ms, so that two writes in one step look the same. */
const TIME_STEP_MS = 50;

/** What tells one content of a file from the next; null while a further change could not be told. */
function stampOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat || Math.abs(Date.now() - stat.ctimeMs) < TIME_STEP_MS) return null;
  return `${stat.mtimeMs}:${stat.ctimeMs}:${stat.size}:${stat.ino}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
