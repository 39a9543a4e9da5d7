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
  /** Whether the next look reads files, which can take long. */
  isStale(): boolean;
}

/** What counts of a file: all of it, only what forbids, or what it said before. */
export type PassedText = 'as-is' | 'tightening' | { readonly before: string };

/** Decides which text of a file counts, because some texts count only once a person has agreed. */
export interface TextGate {
  /** Another one when the answers may be others. */
  readonly version: number;
  /** The files that may count though they are gone. */
  paths(): readonly string[];
  /** What counts of a file with this text; null for one that is gone. What passes is agreed to from then on. */
  check(path: string, text: string | null): PassedText;
  /** What was agreed to of a file; null where nothing was. */
  agreed(path: string): string | null;
}

export interface SourceOptions {
  readonly origin?: FileOrigin;
  readonly draft?: string | undefined;
  readonly limits?: FileLimits;
  readonly lastGood?: LastGood;
  /** May what is good now be kept? Asked until it may. */
  mayKeep?(): boolean;
  readonly gate?: TextGate | undefined;
}

/**
 * Looks at the files' times on every call rather than watching: a rule that was just saved applies to the very next
 * tool call, and it costs microseconds. Nothing about one file, or the folder, keeps the other rules from applying.
 */
export function openRules(folder: string, options: SourceOptions = {}): RuleSource {
  const { origin, draft, gate, limits = OWN_FILES, lastGood = createLastGood() } = options;
  const { mayKeep = () => true } = options;
  let version = gate?.version;
  const list = listOnChange(folder, () => withGated(listRules(folder, limits, draft), gate));
  const keepGood = createKeeper(folder, lastGood, mayKeep);
  let files: Files | null = null;
  /** What of the folder was read, if all that is good is kept. */
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

/** What was good, or agreed to, of a folder that cannot be read. */
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

/** A file that is there and cannot be read is not gone: what was agreed to counts, and stays agreed to. */
function passedBy(gate: TextGate, path: string, text: string | null): PassedText {
  if (text !== null || !existsSync(path)) return gate.check(path, text);
  const before = gate.agreed(path);
  return before === null ? 'as-is' : { before };
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

/** With those that are gone and may count all the same. A draft is there instead of the one of its name. */
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

/** What counts of a file. What a person has not agreed to is not kept as good. */
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
 * What is kept as good can be written by others, too. Where a person has a say, it adds what it forbids to a text that
 * passed, and takes nothing away from it.
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

/** A file that was good and is now broken keeps its old rules: a slip of the keyboard must not lift a guard. */
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

/** Null where nothing is kept, or nothing that this version can read. */
function goodRules(path: string, lastGood: LastGood, origin: FileOrigin | undefined): readonly Rule[] | null {
  const text = lastGood.read(path)?.[path];
  if (text === undefined) return null;
  const { rules, problems } = parseRules(text, path, origin);
  return problems.length === 0 ? rules : null;
}
