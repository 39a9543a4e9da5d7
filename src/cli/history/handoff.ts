import { readObserved } from '../../client/observed.ts';
import { handoffPage } from '../../history/memory/handoff.ts';
import { findSession, latestSession } from '../../history/sessions/story.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { visible } from '../../terminal/visible.ts';
import { defineCommand, flag } from '../command.ts';

export default defineCommand({
  name: 'handoff',
  summary: 'Print one page of Markdown that another agent can start from.',
  words: '[session]',
  options: { json: flag('As one JSON object.') },
  examples: [
    ['hookline handoff', 'the latest session'],
    ['hookline handoff 3f2a > HANDOFF.md', 'as a file for the next agent'],
  ],
  async run({ json }, [id]) {
    const found = await readObserved(homePaths(), (db) => {
      const session = id === undefined ? latestSession(db) : findSession(db, id);
      return (
        session && { session: session.sessionId, source: session.source, page: handoffPage(db, session) }
      );
    });
    if (found === null) {
      throw new HooklineError('NOT_FOUND', id === undefined ? 'No sessions yet.' : `Unknown session ${id}.`, {
        hint: 'Run `hookline sessions` to list them.',
      });
    }
    console.log(json ? JSON.stringify(found) : visible(found.page));
    return 0;
  },
});
