import { followHistory, readHistory } from '../../client/history.ts';
import { homeFolder, homePaths } from '../../home/paths.ts';
import { toPublicEvent } from '../../store/public-event.ts';
import { listEvents } from '../../store/queries.ts';
import type { StoredEvent } from '../../store/stored-event.ts';
import { defineCommand } from '../command.ts';
import { eventLine } from '../event-line.ts';
import { countOf } from '../values.ts';

export default defineCommand({
  name: 'events',
  summary: 'List what the agents did, oldest first.',
  options: {
    json: { type: 'boolean', description: 'One JSON object a line.' },
    session: { type: 'string', value: 'ID', description: 'Only this session.' },
    limit: { type: 'string', value: 'N', description: 'Only the last N (50 unless --json).' },
    follow: { type: 'boolean', short: 'f', description: 'Go on with what happens next.' },
  },
  examples: [
    ['hookline events --follow', 'watch every agent'],
    ['hookline events --json | jq \'select(.response.decision == "deny")\'', 'all that was denied'],
  ],
  async run({ json, session, limit, follow }) {
    const most = json && limit === undefined ? undefined : countOf('events', 'limit', limit, 50);
    const paths = homePaths(homeFolder());
    const print = (event: StoredEvent) =>
      console.log(json ? JSON.stringify(toPublicEvent(event)) : eventLine(event));
    const page = {
      newest: true,
      ...(session === undefined ? {} : { session }),
      ...(most === undefined ? {} : { limit: most }),
    };
    const events = await readHistory(paths, (db) => {
      const newest = listEvents(db, { newest: true, limit: 1 })[0]?.row ?? 0;
      return { list: listEvents(db, page), newest };
    });
    for (const event of events.list) print(event);
    if (events.list.length === 0 && !json && !follow) {
      console.log('Nothing yet. Events appear here once an agent with Hookline set up does something.');
    }
    if (follow) {
      const interrupt = new AbortController();
      process.once('SIGINT', () => interrupt.abort());
      const wanted = (event: StoredEvent) => session === undefined || event.sessionId === session;
      await followHistory(paths, events.newest, (event) => wanted(event) && print(event), interrupt.signal);
    }
    return 0;
  },
});
