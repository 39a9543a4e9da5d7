import { chmodSync, existsSync, statSync } from 'node:fs';
import { ok, problem, warning } from '../../../agents/setup/findings.ts';
import { closeHome, findWritableByOthers } from '../../../home/ownership.ts';
import type { HomePaths } from '../../../home/paths.ts';
import type { Check, Diagnosis } from '../check.ts';

/** Anyone who can write to the home controls agents; anyone who can read it sees their history. */
export const permissions: Check = ({ paths }) => {
  const open = findWritableByOthers(paths);
  if (open === null) return [readable(paths) ?? ok('home', `Only you can write to ${paths.root}.`)];
  const found = problem('home-open', open.message, open.fix);
  if (open.closable === null) return [found];
  const done = 'Removed write access for other users.';
  return [{ ...found, repair: { id: 'home-open', done, run: () => closeHome(paths) } }];
};

function readable({ root, database }: HomePaths): Diagnosis | null {
  if (process.getuid === undefined || !existsSync(database)) return null;
  if ((statSync(root).mode & 0o011) === 0 || (statSync(database).mode & 0o044) === 0) return null;
  const close = () => chmodSync(root, statSync(root).mode & 0o7700);
  return {
    ...warning('home-readable', `Other users can read the history in ${root}.`, `chmod go-rwx ${root}`),
    repair: { id: 'home-readable', done: 'Removed read access for other users.', run: close },
  };
}
