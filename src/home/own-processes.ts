import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import * as v from 'valibot';
import type { OwnProcess } from '../rules/own-processes.ts';
import type { HomePaths } from './paths.ts';

const served = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ pid: v.number(), http: v.optional(v.string(), '') }),
);

/** The daemon of a home, by what it says of itself; none where it does not run. */
export function ownProcesses(paths: Pick<HomePaths, 'daemon'>): readonly OwnProcess[] {
  const text = seen(() => readFileSync(paths.daemon, 'utf8'));
  const info = text === null ? null : v.safeParse(served, text);
  if (!info?.success) return [];
  const { pid, http } = info.output;
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
