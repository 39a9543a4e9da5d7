import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CapturedCall } from '../../history/captured-calls.ts';
import { HooklineError } from '../../model/errors.ts';
import { makeFolder } from '../../platform/make-folder.ts';

/** Facts about all calls of a recording. An agent's fixtures begin with the same three. */
interface RecordMeta {
  readonly clientVersion: string | null;
  readonly capturedAt: string;
  readonly source: string;
  readonly agent: string;
  readonly hooklineVersion: string;
  readonly platform: string;
  /** How the command ended. */
  readonly exitCode: number | null;
}

/** The directory for a recording, which must be new or empty. */
export function emptyFolder(name: string): string {
  const folder = resolve(name);
  if (!existsSync(folder)) return folder;
  const isEmpty = readdirSync(folder).length === 0;
  if (isEmpty) return folder;
  throw new HooklineError('USAGE', `${folder} is not empty. Existing files are never overwritten.`, {
    hint: 'Pass another directory to --out, or remove that one.',
  });
}

/** Writes the captured calls, readable by the owner only: they must be checked before they are shared. */
export function writeRecording(folder: string, calls: readonly CapturedCall[], meta: RecordMeta): void {
  const write = (file: string, value: unknown) =>
    writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  makeFolder(folder, 0o700);
  write(join(folder, 'meta.json'), { ...meta, order: calls.map(({ name }) => name) });
  for (const { name, payload, answer } of calls) {
    makeFolder(join(folder, name), 0o700);
    write(join(folder, name, 'in.json'), payload);
    write(join(folder, name, 'out.json'), answer);
  }
}
