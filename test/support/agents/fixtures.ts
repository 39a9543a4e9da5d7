import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NativeCall } from '../../../src/model/native.ts';

/** One captured payload; `event.json` and `answers.json` beside it are what becomes of it. */
export interface Fixture {
  readonly name: string;
  readonly folder: string;
  readonly call: NativeCall;
}

/** The cases in `<folder>/<native event>/<case>/in.json`. */
export function readFixtures(folder: string, env: NativeCall['env']): readonly Fixture[] {
  return foldersIn(folder).flatMap((event) =>
    foldersIn(join(folder, event))
      .filter((name) => existsSync(join(folder, event, name, 'in.json')))
      .map((name) => ({
        name: `${event}/${name}`,
        folder: join(folder, event, name),
        call: {
          id: `${event}/${name}`,
          receivedAt: 1_763_164_800_000,
          // As on the command line that setup writes: not every payload says which event it is.
          event,
          payload: readJson(join(folder, event, name, 'in.json')),
          env,
        },
      })),
  );
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function foldersIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
