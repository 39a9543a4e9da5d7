import * as v from 'valibot';
import type { HomePaths } from '../home/paths.ts';
import { recoverInto } from '../home/recover-into.ts';
import type { Recovered } from '../store/repair/recover.ts';
import { apiSocketPath } from '../wire/socket-path.ts';
import { connect } from './client.ts';
import { withHistory } from './observed.ts';
import { ask } from './request.ts';
import { requireAccess } from './require-access.ts';

const recovered = v.object({
  recovered: v.number(),
  again: v.number(),
  known: v.number(),
  damaged: v.number(),
  foreign: v.number(),
});

/** A large database takes long. */
const DEADLINE_MS = 600_000;

/** Recovers what is readable from a damaged database, in the process that has the store open. */
export async function recoverHistory(paths: HomePaths, file: string): Promise<Recovered> {
  if (await connect(paths)) {
    const answer = await ask(apiSocketPath(paths.root), 'POST', '/api/recover', { file }, DEADLINE_MS);
    return v.parse(recovered, answer);
  }
  await requireAccess(paths, 'forget');
  return withHistory(paths, (home) => recoverInto(home, file));
}
