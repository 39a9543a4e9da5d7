import { performance } from 'node:perf_hooks';
import { settledStamp } from '../platform/files.ts';
import { createLastGood, type LastGood, withLastGood } from '../platform/last-good.ts';
import { type FileOrigin, type LoadedRules, parseRules, type RuleProblem } from './load.ts';
import type { Rule } from './rule.ts';
import { type FileLimits, type Listed, listRules, OWN_FILES, readRules } from './rule-files.ts';

interface LoadedFile {
  /** Null when the file may have changed since without looking different. */
  readonly stamp: string | null;
  readonly rules: readonly Rule[];
  readonly problems: readonly RuleProblem[];
  /** Its text, where nothing is wrong with it. */
  readonly good: string | null;
}

/** The rules of a folder, read again when a file changed. */
export interface RuleSource {
  /** Both of the below; the same object as long as nothing has changed. */
  load(): LoadedRules;
  rules(): readonly Rule[];
  problems(): readonly RuleProblem[];
}

export interface SourceOptions {
  readonly origin?: FileOrigin;
  readonly draft?: string | undefined;
  readonly limits?: FileLimits;
  readonly lastGood?: LastGood;
  /** May what is good now be kept? Asked until it may. */
  mayKeep?(): boolean;
}

/**
 * Looks at the files' times on every call rather than watching: a rule that was just saved applies to the very next
 * tool call, and it costs microseconds. Nothing about one file, or the folder, keeps the other rules from applying.
 */
export function openRules(folder: string, options: SourceOptions = {}): RuleSource {
  const { origin, draft, limits = OWN_FILES, lastGood = createLastGood(), mayKeep = () => true } = options;
  const list = listOnChange(folder, () => listRules(folder, limits, draft));
  const keepGood = createKeeper(folder, lastGood, mayKeep);
  let files: Files | null = null;
  /** What of the folder was read, if all that is good is kept. */
  let settled: Listed | null = null;
  let current: LoadedRules = { rules: [], problems: [] };

  function withoutFolder(problem: RuleProblem): LoadedRules {
    const before = files
      ? current.rules
      : lastGood.keptIn(folder).flatMap((path) => goodRules(path, lastGood, origin) ?? []);
    const isSame = before === current.rules && current.problems[0]?.message === problem.message;
    return isSame ? current : { rules: before, problems: [problem] };
  }

  function refresh(): LoadedRules {
    const listed = list();
    const { paths, problem } = listed;
    if (listed === settled && files !== null && areSame(paths, files)) return current;
    if (problem !== null) {
      settled = null;
      current = withoutFolder(problem);
      files ??= new Map();
      return current;
    }
    const next = readChanged(paths, files ?? new Map(), limits, (path, stamp, leftMs) => ({
      stamp,
      ...orLastGood(path, readRules(path, limits, leftMs, origin), lastGood, origin),
    }));
    settled = keepGood(files, next) ? listed : null;
    const isSame = files?.size === next.size && [...next].every(([path, file]) => files?.get(path) === file);
    files = next;
    if (!isSame) {
      const all = [...next.values()];
      current = { rules: all.flatMap((file) => file.rules), problems: all.flatMap((file) => file.problems) };
    }
    return current;
  }

  return { load: refresh, rules: () => refresh().rules, problems: () => refresh().problems };
}

type Files = ReadonlyMap<string, LoadedFile>;

/** What was there before and is not any more has no last good version either. Gives whether all that is good is kept. */
function createKeeper(folder: string, lastGood: LastGood, mayKeep: () => boolean) {
  const kept = new WeakSet<LoadedFile>();
  return (before: Files | null, next: Files): boolean => {
    for (const path of before?.keys() ?? lastGood.keptIn(folder)) if (!next.has(path)) lastGood.forget(path);
    const unkept = [...next].filter(([, file]) => file.good !== null && !kept.has(file));
    if (unkept.length === 0) return true;
    if (!mayKeep()) return false;
    for (const [path, file] of unkept) {
      kept.add(file);
      lastGood.keep(path, { [path]: file.good ?? '' });
    }
    return true;
  };
}

/** Listing a folder is dear beside asking whether it has changed. */
function listOnChange(folder: string, list: () => Listed): () => Listed {
  let known: { readonly stamp: string; readonly listed: Listed } | null = null;
  return () => {
    const stamp = settledStamp(folder);
    if (stamp !== null && known?.stamp === stamp) return known.listed;
    const listed = list();
    known = stamp === null ? null : { stamp, listed };
    return listed;
  };
}

function areSame(paths: readonly string[], files: Files): boolean {
  return paths.every((path) => {
    const known = files.get(path)?.stamp ?? null;
    return known !== null && known === settledStamp(path);
  });
}

function readChanged(
  paths: readonly string[],
  before: Files,
  { parseMs }: FileLimits,
  read: (path: string, stamp: string | null, leftMs: number | null) => LoadedFile,
): Files {
  const next = new Map<string, LoadedFile>();
  const until = parseMs === null ? null : performance.now() + parseMs;
  for (const path of paths) {
    const known = before.get(path);
    const stamp = settledStamp(path);
    const isSame = known && stamp !== null && known.stamp === stamp;
    next.set(path, isSame ? known : read(path, stamp, until === null ? null : until - performance.now()));
  }
  return next;
}

/** A file that was good and is now broken keeps its old rules: a slip of the keyboard must not lift a guard. */
function orLastGood(
  path: string,
  { text, rules, problems }: ReturnType<typeof readRules>,
  lastGood: LastGood,
  origin: FileOrigin | undefined,
): Omit<LoadedFile, 'stamp'> {
  // Whoever means it deletes the file, or comments its rules out.
  const isEmpty = text?.trim() === '';
  const [first, ...others] = isEmpty ? [{ where: path, message: 'it is empty' }] : problems;
  if (first === undefined) return { rules, problems, good: text };
  const before = goodRules(path, lastGood, origin);
  if (isEmpty && !before?.length) return { rules, problems, good: text };
  if (before === null) return { rules, problems, good: null };
  return { rules: before, problems: [withLastGood(first), ...others], good: null };
}

/** Null where nothing is kept, or nothing that this version can read. */
function goodRules(path: string, lastGood: LastGood, origin: FileOrigin | undefined): readonly Rule[] | null {
  const text = lastGood.read(path)?.[path];
  if (text === undefined) return null;
  const { rules, problems } = parseRules(text, path, origin);
  return problems.length === 0 ? rules : null;
}
