import { followHistory, readHistory } from '../../client/history.ts';
import { startOf } from '../../history/calls/calls.ts';
import { type Fate, type ItemFilter, listItems } from '../../history/calls/list-calls.ts';
import { rowOf } from '../../history/calls/row.ts';
import { homePaths } from '../../home/paths.ts';
import { dayOf } from '../../model/text.ts';
import type { Database } from '../../store/database/driver.ts';
import { waitingApprovals } from '../../store/read/approvals.ts';
import { toPublicEvent } from '../../store/read/public-event.ts';
import { findEvent, listEvents } from '../../store/read/queries.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';
import { defineCommand, flag, value } from '../command.ts';
import {
  FATE_OPTIONS,
  fatesOf,
  limitOf,
  nothingThere,
  readTimes,
  WHERE_OPTIONS,
  type Where,
  whereOf,
} from '../filters.ts';
import { eventLine } from '../output/event-line.ts';
import { paint } from '../output/paint.ts';
import { printCalls } from '../output/print-calls.ts';
import { rowLine } from '../output/row-line.ts';

const DEFAULT_LIMIT = 50;

export default defineCommand({
  name: 'events',
  summary: 'List tool calls, one row per call, oldest first.',
  options: {
    ...WHERE_OPTIONS,
    ...FATE_OPTIONS,
    limit: value('N', `Show at most N, newest (${DEFAULT_LIMIT} unless --json).`),
    all: flag('Show every protocol event.'),
    follow: flag('Follow new events.', { short: 'f' }),
    json: flag('One JSON object per line, with every protocol event.'),
  },
  examples: [
    ['hookline events --follow', 'watch every agent'],
    ['hookline events --denied --since yesterday', 'denied calls'],
    ['hookline events --agent codex --project shop', 'one agent in one project'],
    ['hookline events --json | jq \'select(.response.decision == "deny")\'', 'for scripts'],
  ],
  async run(options) {
    const now = Date.now();
    const { json = false, all = false, follow, limit, ...filters } = options;
    readTimes('events', filters, now);
    const fates = fatesOf(filters);
    const most = json && limit === undefined ? undefined : limitOf('events', limit, DEFAULT_LIMIT);
    const paths = homePaths();
    const { lines, where, newest, empty } = await readHistory(paths, (db) => {
      const where = whereOf('events', db, filters, now);
      const found =
        json || all
          ? eventLines(db, where, fates, most, json, now)
          : callLines(db, { ...where, fates, limit: most ?? DEFAULT_LIMIT }, now);
      return {
        lines: found,
        where,
        newest: listEvents(db, { newest: true, limit: 1 })[0]?.row ?? 0,
        empty: found.length === 0 ? nothingThere(db, 'call', filters) : '',
      };
    });
    for (const line of lines) console.log(line);
    if (empty !== '' && !json && !follow) console.log(empty);
    if (follow) {
      const interrupt = new AbortController();
      process.once('SIGINT', () => interrupt.abort());
      const printer = json || all ? null : printCalls(fates);
      const printNext = printer?.event ?? ((event: StoredEvent) => console.log(lineOf(event, json)));
      const onEvent = (event: StoredEvent) => isWanted(event, where) && printNext(event);
      const onLook = (db: Database) => printer?.waiting(waitingApprovals(db, where, Date.now()));
      await followHistory(paths, newest, onEvent, interrupt.signal, onLook);
    }
    return 0;
  },
});

const lineOf = (event: StoredEvent, json: boolean): string =>
  json ? JSON.stringify(toPublicEvent(event)) : eventLine(event);

/** All events; with an outcome filter, those of the matching calls. */
function eventLines(
  db: Database,
  where: Where,
  fates: readonly Fate[],
  limit: number | undefined,
  json: boolean,
  now: number,
): readonly string[] {
  if (fates.length === 0) {
    const events = listEvents(db, { ...where, newest: true, ...(limit === undefined ? {} : { limit }) });
    return events.map((event) => lineOf(event, json));
  }
  const items = listItems(db, { ...where, fates, limit: limit ?? Number.MAX_SAFE_INTEGER }, now);
  const briefs = items.flatMap((item) => (item.kind === 'call' ? item.call.events : [item.event]));
  return briefs
    .sort((a, b) => a.row - b.row)
    .flatMap(({ id }) => findEvent(db, id) ?? [])
    .map((event) => lineOf(event, json));
}

/** One row per call, with a heading for each day but today. */
function callLines(db: Database, filter: ItemFilter, now: number): readonly string[] {
  let day = dayOf(now);
  return listItems(db, filter, now).flatMap((item) => {
    const its = dayOf(startOf(item));
    const heading = its === day ? [] : [paint.dim(its)];
    day = its;
    return [...heading, rowLine(rowOf(item))];
  });
}

function isWanted(event: StoredEvent, { source, project, session, until }: Where): boolean {
  return (
    (source === undefined || event.source === source) &&
    (project === undefined || event.projectId === project) &&
    (session === undefined || event.sessionId === session) &&
    (until === undefined || event.timestamp < until)
  );
}
