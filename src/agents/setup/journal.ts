import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { HooklineError } from '../../model/errors.ts';
import { readRegularText } from '../../platform/bounded-files.ts';
import { fileFault } from '../../platform/file-fault.ts';
import { writePrivateFile, writeUserFile } from '../../platform/files.ts';
import { sha256 } from '../../platform/sha256.ts';
import { createFolders, deleteFile, removeEmptyFolders } from './settings-file.ts';
import { readSettings } from './settings-json.ts';
import type { FileEdit } from './setup.ts';

/**
 * How to get from what we wrote back to what was there: keep so much of the start and of the end, and put `text`
 * between. Settings contain tokens of other tools, so the whole original is not copied to a second place.
 */
const reversal = v.object({ start: v.number(), end: v.number(), text: v.string(), hash: v.string() });

const entry = v.object({
  path: v.string(),
  /** null: there was no file. */
  original: v.nullable(reversal),
  /** Of the file as we wrote it last. While it has this hash, no other program has changed it. */
  afterHash: v.string(),
  /** Folders that setup made for the file, outermost first. */
  createdDirs: v.array(v.string()),
});

type Reversal = v.InferOutput<typeof reversal>;
type Entry = v.InferOutput<typeof entry>;

/** Writes planned edits, and notes in the journal folder how each file gets back to what it was before the first. */
export function applyEdits(edits: readonly FileEdit[], journalDir: string): void {
  for (const edit of edits) assertUnchanged(edit);
  for (const edit of edits) {
    const earlier = recall(edit, journalDir);
    const original = earlier ? earlier.original : (edit.original ?? edit.before);
    const createdDirs = attempt(edit, () => createFolders(edit.path));
    // The journal first: if writing the file then fails, the hash does not fit and the note is never used.
    writeEntry(journalDir, {
      path: edit.path,
      original: original === null ? null : reverse(edit.after ?? '', original),
      afterHash: hashOf(edit.after),
      createdDirs: [...(earlier?.createdDirs ?? []), ...createdDirs],
    });
    write(edit);
  }
}

/**
 * What removing really has to write, given the edits of `planRemoval`: the very first original where the file still is what
 * we wrote, else the edit as it is, which removes our entries and keeps what was changed since.
 */
export function removal(edits: readonly FileEdit[], journalDir: string): readonly FileEdit[] {
  return edits.map((edit) => {
    const earlier = recall(edit, journalDir);
    return earlier ? { path: edit.path, before: edit.before, after: earlier.original } : edit;
  });
}

/** Writes what `removal` gave, removes the folders that setup had made, and forgets the notes. */
export function applyRemoval(edits: readonly FileEdit[], journalDir: string): void {
  for (const edit of edits) assertUnchanged(edit);
  for (const edit of edits) {
    write(edit);
    if (edit.after === null) removeEmptyFolders(readEntry(edit.path, journalDir)?.createdDirs ?? []);
    rmSync(entryPath(edit.path, journalDir), { force: true });
  }
}

interface Recalled {
  readonly original: string | null;
  readonly createdDirs: readonly string[];
}

/** What was there before the first edit; null when that is not known, or not the whole truth any more. */
function recall(edit: FileEdit, journalDir: string): Recalled | null {
  const noted = readEntry(edit.path, journalDir);
  if (noted === null || edit.before === null || noted.afterHash !== hashOf(edit.before)) return null;
  const { original, createdDirs } = noted;
  if (original === null) return { original, createdDirs };
  const { before } = edit;
  const text = before.slice(0, original.start) + original.text + before.slice(before.length - original.end);
  return hashOf(text) === original.hash ? { original: text, createdDirs } : null;
}

function assertUnchanged(edit: FileEdit): void {
  if (readSettings(edit.path) === edit.before) return;
  throw new HooklineError('SETTINGS_CHANGED', `${edit.path} was changed by someone else a moment ago.`, {
    hint: 'Nothing was written. Run the command again.',
  });
}

function write(edit: FileEdit): void {
  attempt(edit, () => (edit.after === null ? deleteFile(edit.path) : writeUserFile(edit.path, edit.after)));
}

function attempt<T>(edit: FileEdit, step: () => T): T {
  try {
    return step();
  } catch (cause) {
    throw new HooklineError('SETTINGS_UNWRITABLE', fileFault(cause)?.message ?? `Can't write ${edit.path}.`, {
      cause,
      hint: 'Check who owns the file and its directory, and whether the disk is full or read-only.',
    });
  }
}

function reverse(after: string, original: string): Reversal {
  const shorter = Math.min(after.length, original.length);
  let start = 0;
  while (start < shorter && after[start] === original[start]) start++;
  let end = 0;
  while (end < shorter - start && after.at(-1 - end) === original.at(-1 - end)) end++;
  return { start, end, text: original.slice(start, original.length - end), hash: hashOf(original) };
}

function hashOf(text: string | null): string {
  return text === null ? 'none' : sha256(text);
}

function entryPath(path: string, journalDir: string): string {
  return join(journalDir, `${hashOf(resolve(path)).slice(0, 32)}.json`);
}

/** A note that is missing or damaged is not a note: removal then removes our entries one by one. */
function readEntry(path: string, journalDir: string): Entry | null {
  try {
    return v.parse(entry, JSON.parse(readRegularText(entryPath(path, journalDir))));
  } catch {
    return null;
  }
}

function writeEntry(journalDir: string, noted: Entry): void {
  writePrivateFile(entryPath(noted.path, journalDir), `${JSON.stringify(noted, null, 2)}\n`, {
    durable: true,
  });
}
