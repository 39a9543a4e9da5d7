import { sessionKey } from '../../model/events.ts';
import { expandBraces } from '../../rules/match/braces.ts';
import { compileGlob } from '../../rules/match/glob.ts';
import type { Database } from '../../store/database/driver.ts';
import type { StoredObservation } from '../observations/stored-observation.ts';

/** Observations about such a file, and everything of turns that touched one. */
export function fileFilter(db: Database, pattern: string): (found: StoredObservation) => boolean {
  const plain = pattern.replace(/^\.\//, '');
  const patterns = expandBraces(plain) ?? [plain];
  // `**` is also no folder: a path that is relative counts as well as one from the root.
  const tests = patterns.map((one) => compileGlob(one.startsWith('/') ? one : `**/${one}`));
  const isWanted = (path: string) => tests.some((matches) => matches(path));
  const filesOf = db.prepare(
    "SELECT DISTINCT subject FROM observations WHERE session_id = ? AND source = ? AND kind = 'file' AND prompt_number = ?",
  );
  const known = new Map<string, boolean>();
  return (found) => {
    const { source, sessionId, promptNumber, observation, subject } = found;
    if (observation.kind === 'file') return isWanted(subject);
    const key = `${sessionKey(found)}\0${promptNumber}`;
    let touched = known.get(key);
    if (touched === undefined) {
      touched = filesOf.all(sessionId, source, promptNumber).some((row) => isWanted(String(row.subject)));
      known.set(key, touched);
    }
    return touched;
  };
}
