import { changeRecord } from '../access/record.ts';
import { createSpoolRecorder } from '../home/intake/spool.ts';
import type { HomePaths } from '../home/paths.ts';
import type { Action } from '../model/people/access.ts';
import { connect } from './client.ts';

/**
 * Puts a change that a command has made itself into the history, as the daemon does with those that it makes: at once
 * where one runs, else when the spool is next taken in.
 *
 * @param by who was let through
 * @param what as in `saved the rule x`
 */
export async function recordChange(
  paths: HomePaths,
  action: Action,
  by: string,
  what: string,
): Promise<void> {
  createSpoolRecorder(paths.spool).commit(changeRecord(action, by, what));
  const client = await connect(paths);
  await client?.post('/api/ingest');
}
