import * as v from 'valibot';
import { readIfExists } from '../../platform/files.ts';
import type { HomePaths } from '../paths.ts';

const noted = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ pid: v.number(), http: v.optional(v.string(), '') }),
);

/** The daemon's info file; null if there is none. A killed daemon leaves its file behind. */
export function readDaemonInfo({ daemon }: Pick<HomePaths, 'daemon'>): v.InferOutput<typeof noted> | null {
  try {
    const parsed = v.safeParse(noted, readIfExists(daemon));
    return parsed.success ? parsed.output : null;
  } catch {
    // It exists, but it is unreadable or not a file.
    return null;
  }
}
