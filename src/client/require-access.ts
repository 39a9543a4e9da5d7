import * as v from 'valibot';
import { createSpoolRecorder } from '../home/intake/spool.ts';
import { openAccess } from '../home/open-access.ts';
import type { HomePaths } from '../home/paths.ts';
import { HooklineError } from '../model/errors.ts';
import type { Action } from '../model/people/access.ts';
import { connect } from './client.ts';
import { scriptKeyInUse } from './request.ts';

const letThrough = v.looseObject({ by: v.string() });

/**
 * Throws unless this process may do it. Asks the daemon if one runs, which identifies the caller itself; otherwise
 * checks here. Returns the caller's name.
 */
export async function requireAccess(paths: HomePaths, action: Action): Promise<string> {
  const client = await connect(paths);
  if (client) {
    return v.parse(letThrough, await client.post(`/api/access/${action}`)).by;
  }
  return requireAccessHere(paths, action);
}

/** The same check in this process, for when the daemon can't be asked. */
export async function requireAccessHere(paths: HomePaths, action: Action): Promise<string> {
  const spool = createSpoolRecorder(paths.spool);
  const access = openAccess(paths, (entry) => void spool.commit(entry));
  const decision = await access.decide(action, {
    kind: 'process',
    pid: process.pid,
    scriptKey: scriptKeyInUse(),
  });
  if (!decision.allowed) throw new HooklineError('NOT_A_PERSON', decision.why, { hint: decision.hint });
  return decision.by;
}
