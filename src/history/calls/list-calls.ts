import type { Database } from '../../store/database/driver.ts';
import { waitingApprovals } from '../../store/read/approvals.ts';
import { type EventFilter, listEvents } from '../../store/read/queries.ts';
import { toStoredEvent } from '../../store/read/stored-event.ts';
import { type Item, itemsOf, keyOfCall, startOf, TURN_BOUNDARIES } from './calls.ts';
import { type EventBrief, toBrief } from './event-brief.ts';
import { isStory } from './row.ts';
import { withWaiting } from './waiting.ts';

/** Outcomes to filter by. Several mean any of them. */
export type Fate = 'denied' | 'asked' | 'failed';

export interface ItemFilter extends Omit<EventFilter, 'type' | 'afterRow' | 'beforeRow'> {
  readonly fates?: readonly Fate[];
  /** Also protocol events. */
  readonly protocol?: boolean;
  readonly limit: number;
}

const BATCH = 500;

/** The newest calls and other relevant events, by start time. */
export function listItems(db: Database, filter: ItemFilter, now: number): readonly Item[] {
  const { fates = [], protocol = false, limit, ...where } = filter;
  return fates.length === 0
    ? newestItems(db, where, limit, protocol, now)
    : itemsWithFate(db, where, limit, fates, now);
}

function newestItems(
  db: Database,
  where: EventFilter,
  limit: number,
  protocol: boolean,
  now: number,
): readonly Item[] {
  const waiting = waitingApprovals(db, where, now);
  const itemsIn = (some: readonly EventBrief[]) =>
    itemsOf(withWaiting(some, waiting), now).filter((one) => protocol || isStory(one));
  let events: readonly EventBrief[] = [];
  let items: readonly Item[] = [];
  for (const page of pagesBack(db, where)) {
    events = [...page, ...events];
    items = itemsIn(events);
    if (items.length > limit) break;
  }
  // The first events of a call may be older than what was read.
  const missing = earlierEvents(
    db,
    items.slice(-limit).flatMap((item) => (item.kind === 'call' ? item.call.events : [])),
  );
  return (missing.length === 0 ? items : itemsIn([...missing, ...events])).slice(-limit);
}

/** Few calls need a decision, so only those are read, each with all its events. */
function itemsWithFate(
  db: Database,
  where: EventFilter,
  limit: number,
  fates: readonly Fate[],
  now: number,
): readonly Item[] {
  const seen = new Set<string>();
  const items: Item[] = [];
  const waiting = withWaiting([], fates.includes('asked') ? waitingApprovals(db, where, now) : []);
  for (const page of pagesBack(db, { ...where, noteworthy: true }, waiting)) {
    for (const event of [...page].reverse()) {
      const key = keyOfCall(event) ?? event.id;
      if (seen.has(key)) continue;
      seen.add(key);
      const item = itemWith(db, event, now);
      if (item && hasFate(item, fates)) items.push(item);
      if (items.length >= limit) return inTimeOrder(items);
    }
  }
  return inTimeOrder(items);
}

const inTimeOrder = (items: readonly Item[]) => [...items].sort((a, b) => startOf(a) - startOf(b));

/** Batches from newest to oldest, each in ascending order. */
function* pagesBack(
  db: Database,
  where: EventFilter,
  waiting: readonly EventBrief[] = [],
): Generator<readonly EventBrief[]> {
  if (waiting.length > 0) yield waiting;
  for (let beforeRow: number | undefined; ; ) {
    const page = listEvents(db, {
      ...where,
      ...(beforeRow === undefined ? {} : { beforeRow }),
      newest: true,
      limit: BATCH,
    });
    yield page.map(toBrief);
    if (page.length < BATCH) return;
    beforeRow = page[0]?.row;
  }
}

/** Earlier events of the same calls. */
function earlierEvents(db: Database, events: readonly EventBrief[]): readonly EventBrief[] {
  const firsts = new Map<string, EventBrief>();
  for (const event of events) {
    const key = keyOfCall(event);
    if (key !== null && !firsts.has(key)) firsts.set(key, event);
  }
  const select = db.prepare(
    `SELECT * FROM events WHERE session_id = ? AND source = ? AND tool_number = ? AND tool_name IS NOT NULL
     AND agent_id IS ? AND row < ? ORDER BY row`,
  );
  return [...firsts.values()]
    .filter(({ type }) => type !== 'before_tool')
    .flatMap(({ sessionId, source, toolNumber, agentId, row }) =>
      select.all(sessionId, source, toolNumber, agentId, row).map((one) => toBrief(toStoredEvent(one))),
    );
}

/** The whole call of an event; the event alone if it belongs to none. */
export function itemWith(db: Database, event: EventBrief, now: number): Item | null {
  const { source, sessionId } = event;
  const boundaries = [...TURN_BOUNDARIES, 'session_end'].map((type) => `'${type}'`).join(', ');
  const rows = db
    .prepare(
      `SELECT * FROM events WHERE session_id = ? AND source = ? AND (row = ? OR tool_number = ? AND tool_name IS NOT NULL
         OR type IN (${boundaries}) AND row > ? OR row = (SELECT max(row) FROM events WHERE session_id = ? AND source = ?))
       ORDER BY row`,
    )
    .all(sessionId, source, event.row, event.toolNumber, event.row, sessionId, source);
  const briefs = rows.map((row) => toBrief(toStoredEvent(row)));
  const items = itemsOf(withWaiting(briefs, waitingApprovals(db, { source, session: sessionId }, now)), now);
  const has = ({ id }: EventBrief) => id === event.id;
  return items.find((item) => (item.kind === 'call' ? item.call.events.some(has) : has(item.event))) ?? null;
}

/** Events of calls with one of these outcomes; undefined without a filter. */
export function eventsWithFate(
  db: Database,
  where: EventFilter,
  fates: readonly Fate[],
  now: number,
): readonly EventBrief[] | undefined {
  if (fates.length === 0) return undefined;
  const items = listItems(db, { ...where, fates, limit: Number.MAX_SAFE_INTEGER }, now);
  return items.flatMap((item) => (item.kind === 'call' ? item.call.events : [item.event]));
}

export function hasFate(item: Item, fates: readonly Fate[]): boolean {
  const events = item.kind === 'call' ? item.call.events : [item.event];
  const isAny: Readonly<Record<Fate, () => boolean>> = {
    denied: () =>
      item.kind === 'call'
        ? item.call.outcome === 'denied'
        : events.some(({ delivered }) => delivered === 'deny'),
    failed: () =>
      item.kind === 'call' ? item.call.outcome === 'failed' : item.event.type === 'stop_failure',
    asked: () =>
      events.some(
        ({ decision, type, answered }) =>
          decision === 'ask' || type === 'permission_request' || answered !== null,
      ),
  };
  return fates.some((fate) => isAny[fate]());
}
