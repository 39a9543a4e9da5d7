import { existsSync, rmSync } from 'node:fs';
import { HooklineError } from '../../model/errors.ts';
import type { Action } from '../../model/people/access.ts';
import { counted } from '../../model/text.ts';
import { writeUserFile } from '../../platform/files.ts';
import { sha256 } from '../../platform/sha256.ts';
import { parseConfig } from '../config.ts';
import type { HomePaths } from '../paths.ts';
import { type Confirmed, openConfirmed } from './confirmed.ts';
import { CONFIG, pathOf } from './names.ts';
import { readOwnTexts } from './own-texts.ts';

/** A change to a file that applies once a person confirms it. */
export interface PendingChange {
  /** The path of the file in the home. */
  readonly file: string;
  /** How it is weaker, as in `packs.secrets: on → off`. */
  readonly lines: readonly string[];
  /** The text that applies until then; null if none was confirmed. */
  readonly before: string | null;
  /** The file's text; null if it was deleted. */
  readonly after: string | null;
}

export interface Pending {
  /** The confirmed version is lost, so defaults apply instead of weaker settings. */
  readonly lost: boolean;
  readonly changes: readonly PendingChange[];
}

/** Changes that a person must confirm. */
export function pendingChanges(paths: HomePaths, confirmed: Confirmed): Pending {
  const now = readOwnTexts(paths);
  const names = new Set([CONFIG, ...Object.keys(now), ...confirmed.names()]);
  // An unreadable file reveals nothing, and doesn't count as deleted.
  const readable = [...names].filter((file) => now[file] !== undefined || !existsSync(pathOf(paths, file)));
  const changes = readable.map((file): PendingChange => {
    const after = now[file] ?? null;
    return { file, lines: linesOf(confirmed, file, after), before: confirmed.textOf(file), after };
  });
  return { lost: confirmed.isLost, changes: changes.filter(({ lines }) => lines.length > 0) };
}

/** An unreadable file changes nothing and is reported separately. */
function linesOf(confirmed: Confirmed, file: string, text: string | null): readonly string[] {
  try {
    return confirmed.waiting(file, text);
  } catch {
    return [];
  }
}

/** Settings with which an agent could change Hookline itself: confirming them is a permanent unlock. */
const UNLOCKING = /^(?:packs\.self-protection|disabledRules: self-protection\/|access\.terminals|develop)\b/;

/** The permission required to confirm these changes. */
export function actionFor(changes: readonly PendingChange[]): Action {
  return changes.some(({ lines }) => lines.some((line) => UNLOCKING.test(line))) ? 'unlock' : 'rules';
}

/** One line for every surface; null if nothing is pending. */
export function pendingText({ lost, changes }: Pending): string | null {
  if (lost)
    return "The confirmed version of your settings and rules is missing or was altered. Weaker settings than the defaults don't apply.";
  const [first, ...others] = changes;
  if (!first) return null;
  const count = countOf(changes);
  const where =
    others.length === 0 ? first.file : `${first.file} and ${counted(others.length, 'other file')}`;
  const [weakens, needs] = count === 1 ? ['weakens', 'needs'] : ['weaken', 'need'];
  const what = `${first.lines[0]}${count > 1 ? ', …' : ''}`;
  return `${counted(count, 'change')} to ${where} ${weakens} protection and ${needs} your confirmation: ${what}. The last confirmed version stays active.`;
}

function countOf(changes: readonly PendingChange[]): number {
  return changes.reduce((sum, { lines }) => sum + lines.length, 0);
}

/** The same for a surface with little room. */
export function pendingWords({ lost, changes }: Pending): string | null {
  const count = countOf(changes);
  if (!lost && count === 0) return null;
  const what = lost ? 'confirmed settings are missing' : `${counted(count, 'change')} to confirm`;
  return `${what} (hookline rules confirm)`;
}

export const CONFIRM_HINT = 'Run `hookline rules confirm`.';

/** The line with the command, for a surface without a daemon; null if nothing is pending. */
export function pendingLine(paths: HomePaths): string | null {
  const text = pendingText(pendingChanges(paths, openConfirmed(paths)));
  return text === null ? null : `${text} ${CONFIRM_HINT}`;
}

/** Identifies the text that a person saw, as opposed to a later one. */
export function markOf(text: string | null): string {
  return sha256(text === null ? '-' : `+${text}`).slice(0, 32);
}

/** The texts of these changes that a person saw, for `confirmSeen`. */
export function seenOf(changes: readonly PendingChange[]): Readonly<Record<string, string>> {
  return Object.fromEntries(changes.map(({ file, after }) => [file, markOf(after)]));
}

/** For the history: `confirmed config.yaml (packs.secrets: on → off)`. */
export function confirmedText(changes: readonly PendingChange[]): string {
  const what = changes.map(({ file, lines }) => `${file} (${lines.join(', ')})`);
  return `confirmed ${what.join(' and ') || 'the settings and rules'}`;
}

/** Confirms what a person saw: the file names, each with the mark of its text. */
export function confirmSeen(
  paths: HomePaths,
  confirmed: Confirmed,
  seen: Readonly<Record<string, string>>,
): void {
  const now = readOwnTexts(paths);
  const texts = Object.keys(seen).map((file) => [file, now[file] ?? null] as const);
  if (Object.hasOwn(seen, CONFIG)) parseConfig(now[CONFIG] ?? '', paths.config);
  const other = texts.find(([file, text]) => markOf(text) !== seen[file]);
  if (other) {
    throw notAsSeen(other[0]);
  }
  const agreed = texts.map(([file, text]) => [file, isEmptied(file, text) ? null : text] as const);
  // An empty rule file counts as one being written, so it is deleted.
  for (const [file, text] of texts) if (isEmptied(file, text)) rmSync(pathOf(paths, file));
  confirmed.confirm(Object.fromEntries(agreed));
}

/** The file changed after the person saw it. */
export function notAsSeen(file: string): HooklineError {
  return new HooklineError('USAGE', `${file} has changed since you viewed it. Nothing was confirmed.`, {
    hint: 'Look at it again: `hookline rules confirm`.',
  });
}

function isEmptied(file: string, text: string | null): boolean {
  return file !== CONFIG && text?.trim() === '';
}

/**
 * Makes a person's change to settings or rules and confirms it. If the same file already has a pending change, that
 * stays pending together with the new one.
 */
export function changeConfirmed<T>(paths: HomePaths, confirmed: Confirmed, change: () => T): T {
  const before = pendingChanges(paths, confirmed);
  const result = change();
  if (!before.lost) {
    const own = newIn(before, pendingChanges(paths, confirmed));
    if (own.length > 0) confirmSeen(paths, confirmed, seenOf(own));
  }
  return result;
}

/** Changes to files without an earlier pending change. */
export function newIn(before: Pending, now: Pending): readonly PendingChange[] {
  const files = before.changes.map(({ file }) => file);
  return now.changes.filter(({ file }) => !files.includes(file));
}

/** Restores the confirmed version. A file without one is deleted. */
export function discard(paths: HomePaths, { changes }: Pending): void {
  for (const { file, before } of changes) {
    const path = pathOf(paths, file);
    if (before === null) rmSync(path, { force: true });
    else writeUserFile(path, before, 0o600);
  }
}
