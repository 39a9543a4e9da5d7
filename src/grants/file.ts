import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { readIfThere } from '../home/config.ts';
import { GRANT_SCOPES, type StandingGrant } from './grant.ts';

const text = v.nullable(v.string());
const schema = v.array(
  v.object({
    id: v.string(),
    behavior: v.picklist(['allow', 'deny']),
    scope: v.picklist(GRANT_SCOPES),
    key: v.string(),
    text: v.string(),
    sessionId: text,
    project: text,
    branch: text,
    cwd: text,
    createdAt: v.string(),
    expiresAt: text,
    by: v.string(),
    eventId: text,
  }),
);

/** Grants in a file of the home, so that they hold without a daemon too. */
export interface GrantFile {
  /** Read again when the file changed. A file that cannot be read grants nothing. */
  list(): readonly StandingGrant[];
  add(grant: StandingGrant): void;
  /** The grant that is gone; null when there was none. */
  revoke(id: string): StandingGrant | null;
}

export function openGrants(path: string): GrantFile {
  let known: { readonly stamp: string; readonly grants: readonly StandingGrant[] } | null = null;

  function list(): readonly StandingGrant[] {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return [];
    const stamp = `${stat.mtimeMs}:${stat.ctimeMs}:${stat.size}:${stat.ino}`;
    if (known?.stamp !== stamp) known = { stamp, grants: read(path) };
    return known.grants;
  }

  function write(grants: readonly StandingGrant[]): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(grants, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, path);
    known = null;
  }

  return {
    list,
    add: (grant) => write([...list(), grant]),
    revoke(id) {
      const gone = list().find((grant) => grant.id === id) ?? null;
      if (gone) write(list().filter((grant) => grant !== gone));
      return gone;
    },
  };
}

function read(path: string): readonly StandingGrant[] {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), readIfThere(path) ?? '[]');
  return parsed.success ? parsed.output : [];
}
