import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { HomePaths } from './paths.ts';

const noted = v.pipe(v.string(), v.parseJson(), v.looseObject({ pid: v.number() }));

/** The process that a daemon noted as its own; null where none did. One that was killed leaves its note. */
export function notedPid({ daemon }: Pick<HomePaths, 'daemon'>): number | null {
  try {
    return v.parse(noted, readFileSync(daemon, 'utf8')).pid;
  } catch {
    return null;
  }
}
