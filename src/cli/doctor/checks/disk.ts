import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { ok, problem, warning } from '../../../agents/setup/findings.ts';
import { writeFileAtomically } from '../../../platform/files.ts';
import type { Check, Diagnosis } from '../check.ts';

const LITTLE_BYTES = 100 << 20;
/** Space for a call with a long prompt and the database log. */
const PROBE_BYTES = 256 << 10;

/** Calls that can't be recorded are not allowed, so a full disk stops the agents' work. */
export const disk: Check = ({ paths }) => {
  if (!existsSync(paths.root)) return [];
  const folders = [paths.root, paths.run, paths.spool].filter(existsSync);
  const failed = folders.flatMap((folder) => unwritable(folder) ?? []);
  if (failed.length > 0) return failed;
  const free = freeBytes(paths.root);
  if (free >= LITTLE_BYTES) return [ok('disk', 'The history is writable.')];
  const message = `The disk of ${paths.root} has ${Math.round(free / (1 << 20))} MB left.`;
  return [
    warning(
      'disk-low',
      message,
      'Free up disk space, or set `retention` in config.yaml and run `hookline history prune`.',
    ),
  ];
};

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Cause and fix for each error code; `FOLDER` is replaced by the directory. */
const WHY: Readonly<Record<string, readonly [why: string, fix: string]>> = {
  ENOSPC: [
    'the disk is full',
    'Free up disk space; `df -h FOLDER` shows it. `hookline history prune` deletes history beyond `retention`.',
  ],
  EDQUOT: ['your quota is used up', 'Free up space in it; `quota -s` shows your limit.'],
  EROFS: [
    'the disk is read-only',
    '`findmnt --target FOLDER` shows the mount. Remount it as writable, or set HOOKLINE_HOME to another directory.',
  ],
  EACCES: ['permission denied', 'Make yourself the owner; `ls -ld FOLDER` shows the current one.'],
  EPERM: ['permission denied', 'Make yourself the owner; `ls -ld FOLDER` shows the current one.'],
  ENOTDIR: ['not a directory', 'Move it away: `mv FOLDER FOLDER.old`. Hookline then creates the directory.'],
};

/** Writes a file to find out, because quotas, mounts and attributes show up in no other way. */
function unwritable(folder: string): Diagnosis | null {
  const path = join(folder, `.doctor-${randomUUID()}`);
  try {
    writeFileAtomically(path, Buffer.alloc(PROBE_BYTES), { mode: 0o600, durable: true });
    rmSync(path);
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const [why, fix] = WHY[code] ?? [code, '`df -h FOLDER` shows its disk.'];
    const found = problem('disk', `Can't write to ${folder}: ${why}.`, fix.replaceAll('FOLDER', folder));
    return { ...found, why: 'Until this is fixed, Hookline sends only denials.' };
  }
}
