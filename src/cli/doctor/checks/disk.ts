import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { ok, problem, warning } from '../../../agents/setup/findings.ts';
import { writeFileAtomically } from '../../../platform/files.ts';
import type { Check, Diagnosis } from '../check.ts';

const LITTLE_BYTES = 100 << 20;
/** A call with a long prompt, and the log of the database around it. */
const PROBE_BYTES = 256 << 10;

/** What cannot be recorded is not allowed, so a disk that takes nothing stops the agents' work. */
export const disk: Check = ({ paths }) => {
  if (!existsSync(paths.root)) return [];
  const folders = [paths.root, paths.run, paths.spool].filter(existsSync);
  const failed = folders.flatMap((folder) => unwritable(folder) ?? []);
  if (failed.length > 0) return failed;
  const free = freeBytes(paths.root);
  if (free >= LITTLE_BYTES) return [ok('disk', 'The disk takes what is to be recorded.')];
  const message = `The disk of ${paths.root} has ${Math.round(free / (1 << 20))} MB left.`;
  return [
    warning('disk-low', message, 'Make room, or run `hookline prune` with `retention` set in config.yaml.'),
  ];
};

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** By the error, why it is and what helps; `FOLDER` stands for the folder. */
const WHY: Readonly<Record<string, readonly [why: string, fix: string]>> = {
  ENOSPC: [
    'the disk is full',
    'Make room: `df -h FOLDER` shows how full it is, and with some room left `hookline history prune` deletes what `retention` says.',
  ],
  EDQUOT: ['your quota is used up', 'Make room in it; `quota -s` shows how much there is.'],
  EROFS: [
    'the disk is read-only',
    '`findmnt --target FOLDER` shows the mount; mount it so that it can be written, or set HOOKLINE_HOME elsewhere.',
  ],
  EACCES: ['you have no right to', '`ls -ld FOLDER` shows who owns it: that has to be you.'],
  EPERM: ['you have no right to', '`ls -ld FOLDER` shows who owns it: that has to be you.'],
  ENOTDIR: ['it is no folder', 'Move it away: `mv FOLDER FOLDER.old`. Hookline makes the folder.'],
};

/** Tried, not guessed: quotas, mounts and attributes all show in the end, and in nothing else. */
function unwritable(folder: string): Diagnosis | null {
  const path = join(folder, `.doctor-${randomUUID()}`);
  try {
    writeFileAtomically(path, Buffer.alloc(PROBE_BYTES), { mode: 0o600, durable: true });
    rmSync(path);
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const [why, fix] = WHY[code] ?? [code, '`df -h FOLDER` shows the disk it is on.'];
    const found = problem('disk', `${folder} cannot be written: ${why}.`, fix.replaceAll('FOLDER', folder));
    return { ...found, why: 'What cannot be recorded is not allowed: agents cannot work.' };
  }
}
