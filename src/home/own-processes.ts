import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { OwnProcess } from '../rules/own-processes.ts';
import { notedDaemon } from './noted-daemon.ts';
import type { HomePaths } from './paths.ts';

/** The daemon of a home, by what it says of itself; none where it does not run. */
export function ownProcesses(paths: Pick<HomePaths, 'daemon'>): readonly OwnProcess[] {
  const noted = notedDaemon(paths);
  if (noted === null) return [];
  const { pid, http } = noted;
  const folder = `/proc/${pid}`;
  const path = seen(() => readlinkSync(`${folder}/exe`)) ?? process.execPath;
  const comm = seen(() => readFileSync(`${folder}/comm`, 'utf8').trim());
  // Where there is no /proc, it was started as we were, and says in its line what it is.
  const line =
    seen(() => readFileSync(`${folder}/cmdline`, 'utf8').split('\0').join(' ').trim()) ?? `${path} hookline`;
  const port = URL.canParse(http) ? Number(new URL(http).port) : 0;
  return [{ pid, names: [...new Set([basename(path), ...(comm ? [comm] : [])])], line, port: port || null }];
}

function seen<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
