import { readObserved } from '../../client/observed.ts';
import { type SessionSummary, summarise, summaryLine } from '../../history/session-summary.ts';
import { homeFolder, homePaths } from '../../home/paths.ts';
import { minuteOf } from '../../model/text.ts';
import { listSessions, type StoredSession } from '../../store/queries.ts';
import { terminalLine } from '../../terminal/visible.ts';
import { defineCommand } from '../command.ts';
import { paint } from '../paint.ts';
import { countOf } from '../values.ts';

export default defineCommand({
  name: 'sessions',
  summary: 'List the sessions, the most recent first, each in one line.',
  options: {
    agent: { type: 'string', value: 'A', description: 'Only this agent.' },
    limit: { type: 'string', value: 'N', description: 'At most so many (20).' },
    json: { type: 'boolean', description: 'One JSON object a line.' },
  },
  examples: [
    ['hookline sessions --limit 5', 'what happened last'],
    ['hookline sessions --json | jq -r .summary', 'only the summaries'],
  ],
  async run({ agent, limit, json }) {
    const filter = {
      limit: countOf('sessions', 'limit', limit, 20),
      ...(agent === undefined ? {} : { source: agent }),
    };
    const sessions = await readObserved(homePaths(homeFolder()), (db) =>
      listSessions(db, filter).map((session) => ({ session, summary: summarise(db, session) })),
    );
    for (const { session, summary } of sessions) {
      console.log(json ? JSON.stringify(toJson(session, summary)) : line(session, summary));
    }
    if (sessions.length === 0 && !json) console.log('Nothing yet.');
    return 0;
  },
});

function toJson(session: StoredSession, summary: SessionSummary): object {
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    source: session.source,
    sessionId: session.sessionId,
    startedAt: iso(session.startedAt),
    lastAt: iso(session.lastAt),
    endedAt: iso(session.endedAt),
    cwd: session.cwd,
    projectId: session.projectId,
    events: session.sequence,
    summary: summaryLine(summary),
    ...summary,
  };
}

function line(session: StoredSession, summary: SessionSummary): string {
  const when = minuteOf(session.lastAt);
  return terminalLine(
    `${paint.dim(when)} ${session.source.padEnd(7)} ${paint.dim(session.sessionId.slice(0, 8))} ${summaryLine(summary)}`,
  );
}
