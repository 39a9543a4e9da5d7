import { readObserved } from '../../client/observed.ts';
import { listItems } from '../../history/calls/list-calls.ts';
import { type SessionState, sessionState } from '../../history/calls/session-state.ts';
import { type SessionSummary, summarise, summaryLine } from '../../history/sessions/summary.ts';
import { homePaths } from '../../home/paths.ts';
import { folderName, minuteOf, oneLine } from '../../model/text.ts';
import type { Database } from '../../store/database/driver.ts';
import { listSessions, type StoredSession } from '../../store/read/queries.ts';
import { distinctIds } from '../../store/read/short-id.ts';
import { terminalLine } from '../../terminal/visible.ts';
import { defineCommand, flag, value } from '../command.ts';
import {
  FATE_OPTIONS,
  fatesOf,
  limitOf,
  nothingThere,
  readTimes,
  WHERE_OPTIONS,
  whereOf,
} from '../filters.ts';
import { paint } from '../output/paint.ts';
import { lineWidth } from '../output/row-line.ts';

export default defineCommand({
  name: 'sessions',
  summary: 'List sessions, most recent first, one per line.',
  options: {
    ...WHERE_OPTIONS,
    ...FATE_OPTIONS,
    limit: value('N', 'Show at most N (default: 20).'),
    json: flag('One JSON object per line.'),
  },
  examples: [
    ['hookline sessions --limit 5', 'the 5 most recent sessions'],
    ['hookline sessions --since yesterday --denied', 'sessions with denied calls'],
    ['hookline sessions --json | jq -r .summary', 'only the summaries'],
  ],
  async run({ limit, json, ...filters }) {
    const now = Date.now();
    readTimes('sessions', filters, now);
    const most = limitOf('sessions', limit, 20);
    const lines = await readObserved(homePaths(), (db) => {
      const found = wanted(db, filters, now).slice(0, most);
      if (found.length === 0) return json ? [] : [nothingThere(db, 'session', filters)];
      const ids = distinctIds(found.map(({ sessionId }) => sessionId));
      return found.map((session) => {
        const summary = summarise(db, session);
        const state = sessionState(session, now);
        return json
          ? JSON.stringify(toJson(session, summary, state))
          : line(session, summary, state, ids.get(session.sessionId) ?? '');
      });
    });
    for (const one of lines) console.log(one);
    return 0;
  },
});

type Filters = Parameters<typeof whereOf>[2] & Parameters<typeof fatesOf>[0];

function wanted(db: Database, filters: Filters, now: number): readonly StoredSession[] {
  const where = whereOf('sessions', db, filters, now);
  const fates = fatesOf(filters);
  const sessions = listSessions(db, where);
  if (fates.length === 0) return sessions;
  return sessions.filter(
    ({ source, sessionId }) =>
      listItems(db, { ...where, source, session: sessionId, fates, limit: 1 }, now).length > 0,
  );
}

function toJson(session: StoredSession, summary: SessionSummary, state: SessionState): object {
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    source: session.source,
    sessionId: session.sessionId,
    state,
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

function line(session: StoredSession, summary: SessionSummary, state: SessionState, id: string): string {
  const head = `${minuteOf(session.lastAt)} ${session.source.padEnd(6)}`;
  const place = oneLine(folderName(session.projectId ?? session.cwd), 12).padEnd(12);
  const room = lineWidth() - head.length - place.length - id.length - 10;
  const word = state === 'live' ? paint.green(state.padEnd(5)) : paint.dim(state.padEnd(5));
  const text = oneLine(summaryLine(summary, Math.max(24, room - 30)), Math.max(24, room));
  return terminalLine(`${paint.dim(head)} ${paint.dim(id)} ${word} ${place} ${text}`);
}
