import * as v from 'valibot';
import { readOwnFile } from '../platform/bounded-files.ts';
import { writePrivateFile } from '../platform/files.ts';
import { isSameSecret, newSecret } from '../platform/secrets.ts';
import { sha256 } from '../platform/sha256.ts';

/** A key that a person made for their own automation. The key itself is stored nowhere. */
interface ScriptKey {
  readonly name: string;
  readonly createdAt: string;
}

const stored = v.object({
  keys: v.array(v.object({ name: v.string(), createdAt: v.string(), hash: v.string() })),
});
type Stored = v.InferOutput<typeof stored>['keys'][number];

/** The keys of a home. Read again each time: another process may have revoked one. */
export interface ScriptKeys {
  list(): readonly ScriptKey[];
  /** The key, to be shown once; null when there is one of this name already. */
  create(name: string): string | null;
  revoke(name: string): boolean;
  /** The name of the key that this is; null for one that is none. */
  nameOf(key: string): string | null;
}

export function openScriptKeys(file: string): ScriptKeys {
  const read = (): readonly Stored[] => {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), stored), readOwnFile(file) ?? '');
    // An unreadable file grants no access.
    return parsed.success ? parsed.output.keys : [];
  };
  const write = (keys: readonly Stored[]) => writePrivateFile(file, `${JSON.stringify({ keys }, null, 2)}\n`);
  return {
    list: () => read().map(({ name, createdAt }) => ({ name, createdAt })),
    create(name) {
      const keys = read();
      if (keys.some((one) => one.name === name)) return null;
      const key = `hookline-script-${newSecret()}`;
      write([...keys, { name, createdAt: new Date().toISOString(), hash: hashOf(key) }]);
      return key;
    },
    revoke(name) {
      const keys = read();
      const left = keys.filter((one) => one.name !== name);
      if (left.length < keys.length) write(left);
      return left.length < keys.length;
    },
    nameOf: (key) => read().find(({ hash }) => isSameSecret(hashOf(key), hash))?.name ?? null,
  };
}

/** The key is random and long, so that a plain hash of it tells nothing. */
const hashOf = (key: string): string => sha256(key);
