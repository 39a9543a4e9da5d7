import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import { coreFile } from '../agents/kit/shim/core-file.ts';
import { parseJson } from '../model/json.ts';
import { openRegularFile } from '../platform/bounded-files.ts';
import { fileStamp, readIfExists, settledStamp, writePrivateFile } from '../platform/files.ts';
import { VERSION } from '../version.ts';
import { forwarderPath } from '../wire/forwarder-settings.ts';
import type { HomePaths } from './paths.ts';
import { type Program, programOf } from './program.ts';

const recordSchema = v.object({
  version: v.string(),
  /** By path. */
  files: v.record(v.string(), v.object({ sha256: v.string(), stamp: v.string() })),
});
/** The program as of the last setup by a person. */
type ProgramRecord = v.InferOutput<typeof recordSchema>;

/** Null if nothing readable was recorded. */
export function readProgramRecord(paths: Pick<HomePaths, 'program'>): ProgramRecord | null {
  const parsed = v.safeParse(recordSchema, parseJson(readIfExists(paths.program) ?? ''));
  return parsed.success ? parsed.output : null;
}

/** Records the current program. */
export async function recordProgram(
  paths: HomePaths,
  program: Program = programOf(paths.root),
): Promise<void> {
  const files: Record<string, { sha256: string; stamp: string }> = {};
  for (const path of filesOf(paths, program)) {
    // Read before the content, so that a change in between gives another stamp. An unsettled stamp isn't used.
    const stamp = settledStamp(path) ?? '';
    const sha256 = await hashOf(path);
    if (sha256 !== null) files[path] = { sha256, stamp };
  }
  const record: ProgramRecord = { version: VERSION, files };
  writePrivateFile(paths.program, `${JSON.stringify(record, null, 1)}\n`);
}

/**
 * How the program differs from the record, for display: `dist/cli.cjs was changed`. Files with the same stamp aren't
 * read. The stamp includes the change time, which the system sets and programs can't.
 */
export async function programChanges(
  paths: HomePaths,
  record: ProgramRecord,
  program: Program,
): Promise<readonly string[]> {
  const changes: string[] = [];
  const files = new Set(filesOf(paths, program));
  for (const path of files) {
    const known = Object.hasOwn(record.files, path) ? record.files[path] : undefined;
    if (known !== undefined && fileStamp(path) === known.stamp) continue;
    const sha256 = await hashOf(path);
    if (sha256 === known?.sha256 || isShim(paths, record, path, sha256)) continue;
    changes.push(`${path} was ${known === undefined ? 'added' : 'changed'}`);
  }
  const isOfProgram = (path: string) => program.packages.some((folder) => path.startsWith(join(folder, '/')));
  for (const path of Object.keys(record.files))
    if (!files.has(path) && isOfProgram(path)) changes.push(`${path} was deleted`);
  return changes;
}

/** True if it is a file that setup installs for an agent: a copy of a recorded package file. */
function isShim({ root }: HomePaths, record: ProgramRecord, path: string, sha256: string | null): boolean {
  const original = join('dist', 'shims', basename(path));
  return (
    dirname(path) === shimsFolder(root) &&
    Object.entries(record.files).some(([file, known]) => file.endsWith(original) && known.sha256 === sha256)
  );
}

const shimsFolder = (root: string) => dirname(coreFile(root, ''));

/** Summarizes them in one sentence. */
export function changesText(changes: readonly string[]): string {
  const more = changes.length - SHOWN;
  const rest = more > 0 ? `, and ${more} more` : '';
  return `Hookline's own program changed since setup: ${changes.slice(0, SHOWN).join(', ')}${rest}.`;
}

const SHOWN = 3;

/** A record existed and was removed. */
export const RECORD_GONE =
  "The record of Hookline's own program (program.json) is missing, so changes to it would go unnoticed.";

/** What to do about them. */
export const RENEW =
  'If you upgraded Hookline or Node, run `hookline setup` in a terminal. If not, reinstall Hookline first.';

function filesOf({ root }: HomePaths, { packages, runtimes }: Program): readonly string[] {
  const ofPackage = (folder: string) => [
    join(folder, 'package.json'),
    ...['bin', 'dist'].flatMap((name) => filesBelow(join(folder, name))),
  ];
  const files = [
    ...packages.flatMap(ofPackage),
    ...runtimes,
    forwarderPath(root),
    ...filesBelow(shimsFolder(root)),
  ];
  return [...new Set(files)].filter((path) => fileStamp(path) !== '');
}

function filesBelow(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
    return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

/** Read in pieces, because Node itself has more than a hundred megabytes. Null if it is unreadable. */
async function hashOf(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    const file = openRegularFile(path);
    if (file === null) return null;
    await pipeline(createReadStream(path, { fd: file, highWaterMark: PIECE }), hash);
    return hash.digest('hex');
  } catch {
    return null;
  }
}

const PIECE = 1 << 20;
