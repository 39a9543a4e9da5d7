import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { AGENTS } from '../../agents/_registry.ts';
import { readHistory } from '../../client/history.ts';
import { findSession } from '../../history/sessions/story.ts';
import { cleanerFor } from '../../history/share/clean.ts';
import { sharePage } from '../../history/share/page.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { userName } from '../../platform/user-name.ts';
import { waitingApprovals } from '../../store/read/approvals.ts';
import { listEvents } from '../../store/read/queries.ts';
import { visible } from '../../terminal/visible.ts';
import { defineCommand, usage, value } from '../command.ts';
import { paint } from '../output/paint.ts';

export default defineCommand({
  name: 'share',
  summary: 'Export one session as a single web page, without secrets or scripts.',
  words: '<session>',
  options: {
    output: value('FILE', 'Output file (session-<id>.html); - is stdout.', { short: 'o' }),
  },
  examples: [
    ['hookline share 3f2a', 'the start of an ID is enough'],
    ['hookline share 3f2a -o review.html', 'for a colleague'],
  ],
  async run({ output }, [id]) {
    if (id === undefined) throw usage('share', 'Missing session ID. Run `hookline sessions` to list them.');
    const clean = cleanerFor(process.env.HOME || homedir(), userName() ?? '');
    const page = await readHistory(homePaths(), (db) => {
      const session = findSession(db, id);
      if (!session) return null;
      const { source, sessionId } = session;
      const its = { source, session: sessionId };
      const now = Date.now();
      return sharePage(session, listEvents(db, its), AGENTS, clean, now, waitingApprovals(db, its, now));
    });
    if (page === null) {
      throw new HooklineError('NOT_FOUND', `Unknown session ${id}.`, {
        hint: 'Run `hookline sessions` to list them.',
      });
    }
    if (output === '-') {
      process.stdout.write(process.stdout.isTTY ? visible(page) : page);
      return 0;
    }
    const file = resolve(output ?? `session-${id.replace(/[^\w-]/g, '').slice(0, 40)}.html`);
    // Readable by the owner only, who should check it first.
    writeFileSync(file, page, { mode: 0o600 });
    console.log(`Wrote ${paint.bold(file)}.`);
    console.log(
      paint.dim("Check it before you share it: it may contain secrets that Hookline didn't recognize."),
    );
    return 0;
  },
});
