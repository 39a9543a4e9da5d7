import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readHistory } from '../../client/history.ts';
import { forgetHistory } from '../../client/observed.ts';
import { findSession } from '../../history/sessions/story.ts';
import { createProjectFinder } from '../../home/identity.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { counted } from '../../model/text.ts';
import type { Forgotten } from '../../store/forget.ts';
import { defineCommand, flag, usage, value } from '../command.ts';
import { confirmed } from '../confirm.ts';

export default defineCommand({
  name: 'forget',
  summary: 'Permanently delete a session, a project or every event that contains a text.',
  words: '[session]',
  options: {
    project: value('DIR', 'Everything from this project.'),
    match: value('TEXT', 'Every event that contains this text.'),
    yes: flag('Skip confirmation.', { short: 'y' }),
    json: flag('As one JSON object.'),
  },
  examples: [
    ['hookline forget 3f2a', 'one session'],
    ['hookline forget --project ~/work/client-x', 'everything from that project'],
    ["hookline forget --match 'Wilhelmina'", 'in prompts, commands, files and output'],
  ],
  asScript: true,
  async run({ project, match, yes, json }, [session]) {
    const given = [session, project, match].filter((one) => one !== undefined);
    if (given.length !== 1)
      throw usage('forget', 'Missing selection. Give a session ID, --project or --match.');
    const paths = homePaths();
    const what: Forgotten =
      match !== undefined
        ? { match }
        : project !== undefined
          ? { project: projectOf(project) }
          : { session: await sessionOf(session ?? '') };
    const named = Object.entries(what).map(([kind, name]) => `${kind} "${name}"`)[0];
    if (!(await confirmed(`Permanently delete ${named}?`, yes, 'forget'))) return 1;
    const gone = await forgetHistory(paths, what);
    console.log(
      json
        ? JSON.stringify(gone)
        : `Deleted ${counted(gone.events, 'event')} and ${counted(gone.sessions, 'session')}.`,
    );
    return 0;
  },
});

/** A deleted directory still names what was done in it. */
function projectOf(folder: string): string {
  const path = resolve(folder);
  return existsSync(path) ? createProjectFinder()(path) : path;
}

async function sessionOf(id: string): Promise<string> {
  const found = await readHistory(homePaths(), (db) => findSession(db, id));
  if (found === null) {
    throw new HooklineError('NOT_FOUND', `Unknown session ${id}.`, {
      hint: 'Run `hookline sessions` to list them.',
    });
  }
  return found.sessionId;
}
