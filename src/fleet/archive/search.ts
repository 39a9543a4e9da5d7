import { chunksOf } from '../../history/search/query.ts';
import { HooklineError } from '../../model/errors.ts';
import type { EventType } from '../../model/events.ts';
import type { Row } from '../../store/database/driver.ts';
import { conditions, whereClause } from '../../store/read/conditions.ts';
import { EVENT_COLUMNS, plain } from '../../store/read/event-columns.ts';
import { eventConditions } from '../../store/read/queries.ts';
import { type StoredEvent, toStoredEvent } from '../../store/read/stored-event.ts';
import type { Postgres } from './postgres.ts';
import { wordsIn } from './search-words.ts';

interface ArchiveQuery {
  /** Words, "several words" in quotes, and beginnings of words*; all of them have to be there. */
  readonly text: string;
  /** By its name, or the beginning of its id. */
  readonly machine?: string;
  readonly source?: string;
  readonly type?: EventType;
  readonly decision?: string;
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
}

/** A record of some machine. */
export interface ArchiveHit {
  readonly machine: { readonly id: string; readonly name: string | null };
  readonly event: StoredEvent;
}

interface Found {
  /** The newest first. */
  readonly hits: readonly ArchiveHit[];
  /** Rows that only a newer Hookline understands. */
  readonly unreadable: number;
}

/** What a record came without is null; for us it is JSON that says nothing. */
const JSON_COLUMNS: readonly string[] = ['response', 'answer', 'opinions', 'event'];
const SELECTED = EVENT_COLUMNS.map((column) =>
  JSON_COLUMNS.includes(column) ? `coalesce(${column}, 'null') AS ${column}` : column,
).join(', ');

export async function searchArchive(db: Postgres, query: ArchiveQuery): Promise<Found> {
  const { machine, source, type, decision, since, until, limit } = query;
  const words = tsquery(query.text);
  const machines = machine === undefined ? undefined : await machinesCalled(db, machine);
  const common = eventConditions({
    ...(source === undefined ? {} : { source: plain(source) }),
    ...(type === undefined ? {} : { type }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  });
  const own = conditions(
    ['words @@ ?::tsquery', words ?? undefined],
    ['decision = ?', decision === undefined ? undefined : plain(decision)],
    ["machine = ANY (string_to_array(?, ','))", machines?.join(',')],
  );
  const terms = [...own.terms, ...common.terms];
  const parameters = [...own.parameters, ...common.parameters];
  const rows = await db.query(
    numbered(`SELECT row, machine, name, ${SELECTED} FROM hookline.events LEFT JOIN hookline.machines USING (machine)
      ${whereClause({ terms, parameters })} ORDER BY timestamp DESC, row DESC LIMIT ?`),
    [...parameters, limit],
  );
  const hits = rows.flatMap((row) => hitOf(row) ?? []);
  return { hits, unreadable: rows.length - hits.length };
}

/** Null where the text has no words in it. These are letters and digits, so that none is taken for an operator. */
function tsquery(text: string): string | null {
  const terms = chunksOf(text).flatMap(({ said, isBeginning }) => {
    const quoted = wordsIn(said).map((word) => `'${word}'`);
    return quoted.length === 0 ? [] : [`(${quoted.join(' <-> ')}${isBeginning ? ':*' : ''})`];
  });
  return terms.length === 0 ? null : terms.join(' & ');
}

/** As PostgreSQL wants them. The terms are ours, and have no other question mark. */
function numbered(sql: string): string {
  let last = 0;
  return sql.replace(/\?/g, () => {
    last += 1;
    return `$${last}`;
  });
}

function hitOf(row: Row): ArchiveHit | null {
  try {
    const name = typeof row.name === 'string' ? row.name : null;
    return { machine: { id: String(row.machine), name }, event: toStoredEvent(row) };
  } catch {
    return null;
  }
}

/** Ids of the machines that are meant. A name that none has is an error: an empty list would look like an answer. */
async function machinesCalled(db: Postgres, given: string): Promise<readonly string[]> {
  const found = await db.query(
    'SELECT machine FROM hookline.machines WHERE lower(name) = lower($1) OR starts_with(machine, lower($1)) ORDER BY 1',
    [plain(given)],
  );
  if (found.length > 0) return found.map(({ machine }) => String(machine));
  const known = await db.query(
    'SELECT coalesce(name, left(machine, 8)) AS name FROM hookline.machines ORDER BY 1 LIMIT 20',
  );
  const names = known.map(({ name }) => String(name)).join(', ');
  throw new HooklineError('NOT_FOUND', `Unknown machine "${given}".`, {
    hint: names === '' ? 'The archive is empty.' : `Known machines: ${names}.`,
  });
}
