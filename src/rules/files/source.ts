import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { performance } from 'node:perf_hooks';
import { settledStamp } from '../../platform/files.ts';
import { createLastGood, type LastGood, withLastGood } from '../../platform/last-good.ts';
import type { Rule } from '../rule.ts';
import { type FileLimits, type Listed, listRules, OWN_FILES, readRules } from './folder.ts';
import { type FileOrigin, type LoadedRules, parseRules, type RuleProblem } from './load.ts';
import { onlyTightening } from './trust.ts';

interface LoadedFile {
  /** Null if the file may have changed without a visible difference. */
  readonly stamp: string | null;
  readonly rules: readonly Rule[];
  readonly problems: readonly RuleProblem[];
  /** Its text, if it has no problem. */
  readonly good: string | null;
}

/** The rules of a directory, read again when a file changes. */
export interface RuleSource {
  /** Both of the below; the same object until something changes. */
  load(): LoadedRules;
  rules(): readonly Rule[];
  problems(): readonly RuleProblem[];
  /** True if the next load reads files, which can take long. */
  isStale(): boolean;
}

/** How much of a file counts: all of it, only deny and ask rules, or its earlier text. */
export type PassedText = 'as-is' | 'tightening' | { readonly before: string };

/** Decides which text of a file counts, because some texts need a person's agreement. */
export interface TextGate {
  /** Changes when the answers may change. */
  readonly version: number;
  /** Files that may count although they were deleted. */
  paths(): readonly string[];
  /** Which text of a file counts; the text is null for a deleted file. A text that passes is agreed from then on. */
  check(path: string, text: string | null): PassedText;
  /** The agreed text of a file; null if there is none. */
  agreed(path: string): string | null;
}

export interface SourceOptions {
  readonly origin?: FileOrigin;
  readonly draft?: string | undefined;
  readonly limits?: FileLimits;
  readonly lastGood?: LastGood;
  /** True if valid rules may be stored now. Asked until it is true. */
  mayKeep?(): boolean;
  readonly gate?: TextGate | undefined;
}

/**
 * Checks file times on every call rather than watching, so that a saved rule applies to the next tool call; this costs
 * microseconds. A problem with one file or the directory never disables the other rules.
 */
export function openRules(folder: string, options: SourceOptions = {}): RuleSource {
  const { origin, draft, gate, limits = OWN_FILES, lastGood = createLastGood() } = options;
  const { mayKeep = () => true } = options;
  let version = gate?.version;
  const list = listOnChange(folder, () => withGated(listRules(folder, limits, draft), gate));
  const keepGood = createKeeper(folder, lastGood, mayKeep);
  let files: Files | null = null;
  /** What was read, once all valid files are stored. */
  let settled: Listed | null = null;
  let current: LoadedRules = { rules: [], problems: [] };

  function withoutFolder(problem: RuleProblem): LoadedRules {
    const before = files ? current.rules : keptRules(folder, lastGood, gate, origin);
    const isSame = before === current.rules && current.problems[0]?.message === problem.message;
    return isSame ? current : { rules: before, problems: [problem] };
  }

  function refresh(): LoadedRules {
    const isAgreed = gate?.version === version;
    version = gate?.version;
    if (!isAgreed) files = null;
    const listed = list(!isAgreed);
    const { paths, problem } = listed;
    if (listed === settled && files !== null && areSame(paths, files)) return current;
    if (problem !== null) {
      settled = null;
      current = withoutFolder(problem);
      files ??= new Map();
      return current;
    }
    const next = readChanged(paths, files ?? new Map(), limits, (path, stamp, leftMs) => {
      const found = readRules(path, limits, leftMs, origin);
      const passed = gate === undefined || path === draft ? 'as-is' : passedBy(gate, path, found.text);
      const file = counted(path, found, passed, lastGood, origin);
      return { stamp, ...(gate === undefined ? file : noWeakerThan(found, passed, file)) };
    });
    settled = keepGood(files, next) ? listed : null;
    const isSame = files?.size === next.size && [...next].every(([path, file]) => files?.get(path) === file);
    files = next;
    if (!isSame) {
      const all = [...next.values()];
      current = { rules: all.flatMap((file) => file.rules), problems: all.flatMap((file) => file.problems) };
    }
    return current;
  }

  const isStale = () => files === null || gate?.version !== version || hasChanged(list(false), files);
  return { load: refresh, isStale, rules: () => refresh().rules, problems: () => refresh().problems };
}

/** Stored or agreed rules of an unreadable directory. */
function keptRules(
  folder: string,
  lastGood: LastGood,
  gate: TextGate | undefined,
  origin: FileOrigin | undefined,
): readonly Rule[] {
  const agreed = gate?.paths() ?? [];
  if (gate === undefined || agreed.length === 0)
    return lastGood.keptIn(folder).flatMap((path) => goodRules(path, lastGood, origin) ?? []);
  return agreed.flatMap((path) => {
    const text = gate.agreed(path);
    return text === null ? [] : parseRules(text, path, origin).rules;
  });
}

/** An unreadable file is not deleted: its agreed text counts and stays agreed. */
function passedBy(gate: TextGate, path: string, text: string | null): PassedText {
  if (text !== null || !existsSync(path)) return gate.check(path, text);
  const before = gate.agreed(path);
  return before === null ? 'as-is' : { before };
}

type Files = ReadonlyMap<string, LoadedFile>;

/** Also forgets the last good version of deleted files. Returns true if all valid files are stored. */
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

/** Listing a directory costs much more than checking whether it changed. */
function listOnChange(folder: string, list: () => Listed): (again: boolean) => Listed {
  let known: { readonly stamp: string; readonly listed: Listed } | null = null;
  return (again) => {
    const stamp = settledStamp(folder);
    if (!again && stamp !== null && known?.stamp === stamp) return known.listed;
    const listed = list();
    known = stamp === null ? null : { stamp, listed };
    return listed;
  };
}

/** Includes deleted files that still count. A draft replaces the file with its name. */
function withGated(listed: Listed, gate: TextGate | undefined): Listed {
  const isListed = (path: string) => listed.paths.some((one) => basename(one) === basename(path));
  const gone = gate?.paths().filter((path) => !isListed(path)) ?? [];
  return gone.length === 0 ? listed : { ...listed, paths: [...listed.paths, ...gone] };
}

function hasChanged({ paths, problem }: Listed, files: Files): boolean {
  return problem === null && (paths.length !== files.size || !areSame(paths, files));
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

/** The part of a file that counts. Text without a person's agreement is not stored as good. */
function counted(
  path: string,
  found: ReturnType<typeof readRules>,
  passed: PassedText,
  lastGood: LastGood,
  origin: FileOrigin | undefined,
): Omit<LoadedFile, 'stamp'> {
  if (passed === 'as-is') return orLastGood(path, found, lastGood, origin);
  const { rules, problems } = found;
  if (passed === 'tightening') return { rules: onlyTightening(rules), problems, good: null };
  const before = parseRules(passed.before, path, origin).rules;
  const [first, ...others] = existsSync(path) ? problems : [];
  return { rules: before, problems: first ? [withLastGood(first), ...others] : [], good: null };
}

/**
 * The stored good version can be written by others. Where agreement is required, it can only add deny and ask rules to
 * a text that passed.
 */
function noWeakerThan(
  found: ReturnType<typeof readRules>,
  passed: PassedText,
  file: Omit<LoadedFile, 'stamp'>,
): Omit<LoadedFile, 'stamp'> {
  if (passed !== 'as-is' || file.rules === found.rules) return file;
  const ids = new Set(found.rules.map(({ id }) => id));
  const kept = onlyTightening(file.rules).filter(({ id }) => !ids.has(id));
  return { ...file, rules: [...found.rules, ...kept] };
}

/** A file that was valid and is now broken keeps its old rules: a typo must not disable them. */
function orLastGood(
  path: string,
  { text, rules, problems }: ReturnType<typeof readRules>,
  lastGood: LastGood,
  origin: FileOrigin | undefined,
): Omit<LoadedFile, 'stamp'> {
  // An emptied file may be an accident. To remove rules on purpose, delete the file or comment them out.
  const isEmpty = text?.trim() === '';
  const [first, ...others] = isEmpty ? [{ where: path, message: 'it is empty' }] : problems;
  if (first === undefined) return { rules, problems, good: text };
  const before = goodRules(path, lastGood, origin);
  if (isEmpty && !before?.length) return { rules, problems, good: text };
  if (before === null) return { rules, problems, good: null };
  return { rules: before, problems: [withLastGood(first), ...others], good: null };
}

/** Null if none are stored, or none that this version can read. */
function goodRules(path: string, lastGood: LastGood, origin: FileOrigin | undefined): readonly Rule[] | null {
  const text = lastGood.read(path)?.[path];
  if (text === undefined) return null;
  const { rules, problems } = parseRules(text, path, origin);
  return problems.length === 0 ? rules : null;
}
