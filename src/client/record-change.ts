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

/** Notes that a person has taken the hooks out of an agent, so that the daemon doesn't report them as lost. */
export async function recordRemoval(
  paths: HomePaths,
  by: string,
  { id, label }: { readonly id: string; readonly label: string },
): Promise<void> {
  const what = `removed Hookline's hooks from ${label}`;
  const client = await connect(paths);
  if (client) await client.post('/api/removed', { agent: id });
  else await recordChange(paths, 'remove', by, what);
}
