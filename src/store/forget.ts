import { HooklineError } from '../model/errors.ts';
import type { Signer } from './chain/chain.ts';
import { writeGaps } from './chain/gaps.ts';
import type { Database, SqlValue } from './database/driver.ts';
import { checkpoint } from './database/open.ts';
import { usedBytes } from './database/size.ts';

/** What is to go: a session, all of a project, or every event that has these words. */
export type Forgotten =
  | { readonly session: string }
  | { readonly project: string }
  | { readonly match: string };

export interface Gone {
  readonly events: number;
  readonly sessions: number;
}

/** Deletes from every table and the index. `compact` afterwards: the index leaves traces in pages that are free. */
export function forget(db: Database, what: Forgotten, signer: Signer): Gone {
  const { where, parameters } = condition(what);
  return deleting(db, () => {
    const gone = remove(db, where, parameters, () => writeGaps(db, 'forgotten', signer));
    if ('match' in what) {
      // The last message of a session that goes on may have the words too.
      const said = db.prepare(
        'DELETE FROM transcripts WHERE instr(last_message, ?) > 0 OR instr(gaps, ?) > 0',
      );
      said.run(what.match, JSON.stringify(what.match).slice(1, -1));
    }
    return gone;
  });
}

interface Retention {
  /** Null keeps events whatever their age. */
  readonly days: number | null;
  /** Null lets the store grow. */
  readonly megabytes: number | null;
}

const DAY_MS = 86_400_000;
const MEGABYTE = 1 << 20;
/** Deleting some more at once saves doing it again with the next event. */
const SIZE_STEP = 0.1;

/** Deletes what is older than wanted, then the oldest until the store is as small as wanted. */
export function prune(db: Database, { days, megabytes }: Retention, now: number, signer: Signer): Gone {
  const note = () => writeGaps(db, 'pruned', signer);
  return deleting(db, () => {
    let gone: Gone = { events: 0, sessions: 0 };
    const take = (more: Gone) => {
      gone = { events: gone.events + more.events, sessions: gone.sessions + more.sessions };
      return more.events > 0;
    };
    if (days !== null) take(remove(db, 'timestamp < ?', [now - days * DAY_MS], note));
    while (megabytes !== null && usedBytes(db) > megabytes * MEGABYTE) {
      const events = Number(db.prepare('SELECT count(*) AS n FROM events').get()?.n ?? 0);
      const oldest = Math.ceil(events * SIZE_STEP);
      if (!take(remove(db, 'row IN (SELECT row FROM events ORDER BY row LIMIT ?)', [oldest], note))) break;
    }
    return gone;
  });
}

/** Rewrites the store without deleted data, and frees the space. Takes as long as the store is large. */
export function compact(db: Database): void {
  // A search index keeps the words of what was deleted until it is rewritten.
  for (const index of ['observation_text', 'turn_text'])
    db.exec(`INSERT INTO ${index} (${index}) VALUES ('optimize')`);
  db.exec('VACUUM');
  checkpoint(db);
}

function deleting(db: Database, work: () => Gone): Gone {
  db.exec('PRAGMA secure_delete = ON');
  try {
    const gone = work();
    if (gone.events > 0) checkpoint(db);
    return gone;
  } finally {
    db.exec('PRAGMA secure_delete = OFF');
  }
}

/** `note` writes down what goes, while it is still there. */
function remove(db: Database, where: string, parameters: readonly SqlValue[], note: () => void): Gone {
  return db.transaction(() => {
    db.exec('CREATE TEMP TABLE IF NOT EXISTS going (row INTEGER PRIMARY KEY)');
    db.exec('DELETE FROM going');
    db.prepare(`INSERT INTO going SELECT row FROM events WHERE ${where}`).run(...parameters);
    note();
    db.exec(
      'DELETE FROM approvals WHERE event_id IN (SELECT id FROM events WHERE row IN (SELECT row FROM going))',
    );
    db.exec('DELETE FROM observations WHERE event_row IN (SELECT row FROM going)');
    const { changes: events } = db.prepare('DELETE FROM events WHERE row IN (SELECT row FROM going)').run();
    db.exec('DELETE FROM going');
    const orphaned =
      'NOT EXISTS (SELECT 1 FROM events e WHERE e.session_id = s.session_id AND e.source = s.source)';
    db.exec(`DELETE FROM transcripts AS s WHERE ${orphaned}`);
    db.exec(`DELETE FROM waiting_context AS s WHERE ${orphaned}`);
    const { changes: sessions } = db.prepare(`DELETE FROM sessions AS s WHERE ${orphaned}`).run();
    // A row that was deleted at the end is given again: what gets it has not been observed.
    db.exec('UPDATE observed SET event_row = min(event_row, coalesce((SELECT max(row) FROM events), 0))');
    db.exec(
      `UPDATE turns_indexed SET observation_row = min(observation_row, last), backlog_row = min(backlog_row, last)
       FROM (SELECT coalesce(max(row), 0) AS last FROM observations)`,
    );
    db.exec(`DELETE FROM turns_due AS t WHERE NOT EXISTS (SELECT 1 FROM observations o
      WHERE o.session_id = t.session_id AND o.source = t.source AND o.prompt_number = t.prompt_number)`);
    return { events, sessions };
  });
}

function condition(what: Forgotten): { where: string; parameters: readonly SqlValue[] } {
  if ('session' in what) return { where: 'session_id = ?', parameters: [what.session] };
  if ('project' in what) return { where: 'project_id = ?', parameters: [what.project] };
  if (what.match.trim() === '') throw new HooklineError('USAGE', 'Nothing to look for was given.');
  // In JSON as in the text itself: quotes and line breaks are written differently there.
  const json = JSON.stringify(what.match).slice(1, -1);
  const columns = ['event', 'native', 'response', 'opinions', 'answer'];
  return {
    where: columns.map((column) => `instr(${column}, ?) > 0`).join(' OR '),
    parameters: columns.map(() => json),
  };
}
