import type { Database, Row } from '../../store/database/driver.ts';
import { plain } from '../../store/read/event-columns.ts';
import { FIELDS, readTurn, type TurnDocument, type TurnKey } from './turn-document.ts';

/** Keeps the turns that are searched up to date with the observations. */
export interface TurnIndex {
  /** Takes in the next new observations, and what is left of turns that lost one; false when there are none. */
  step(): boolean;
  /** The same for what was there before the index was, the newest first. */
  backlogStep(): boolean;
}

/** Few enough for a call that comes meanwhile not to notice. */
const STEP = 50;
const MOST_DUE = 20;

const TURNS = 'session_id, source, prompt_number, min(row) AS first_row, max(row) AS last_row';

export function createTurnIndex(db: Database): TurnIndex {
  const selectMarks = db.prepare('SELECT observation_row, backlog_row FROM turns_indexed');
  const selectNew = db.prepare(
    `SELECT ${TURNS} FROM (SELECT * FROM observations WHERE row > ? ORDER BY row LIMIT ${STEP}) GROUP BY 1, 2, 3`,
  );
  const selectOld = db.prepare(
    `SELECT ${TURNS} FROM (SELECT * FROM observations WHERE row <= ? ORDER BY row DESC LIMIT ${STEP}) GROUP BY 1, 2, 3`,
  );
  const selectDue = db.prepare(`SELECT * FROM turns_due LIMIT ${MOST_DUE}`);
  const done = db.prepare('DELETE FROM turns_due WHERE session_id = ? AND source = ? AND prompt_number = ?');
  const saveMark = db.prepare('UPDATE turns_indexed SET observation_row = ?');
  const saveBacklog = db.prepare('UPDATE turns_indexed SET backlog_row = ?');
  const write = turnWriter(db);

  return {
    step() {
      const mark = Number(selectMarks.get()?.observation_row ?? 0);
      const due = selectDue.all();
      const news = selectNew.all(mark);
      if (due.length + news.length === 0) return false;
      db.transaction(() => {
        for (const row of [...news, ...due]) write(turnKey(row));
        for (const { session_id, source, prompt_number } of due)
          done.run(session_id ?? '', source ?? '', prompt_number ?? 0);
        if (news.length > 0) saveMark.run(Math.max(...news.map((row) => Number(row.last_row))));
      });
      return true;
    },
    backlogStep() {
      const mark = Number(selectMarks.get()?.backlog_row ?? 0);
      const old = mark === 0 ? [] : selectOld.all(mark);
      if (old.length === 0) return false;
      db.transaction(() => {
        for (const row of old) write(turnKey(row));
        saveBacklog.run(Math.min(...old.map((row) => Number(row.first_row))) - 1);
      });
      return true;
    },
  };
}

function turnKey(row: Row): TurnKey {
  return {
    sessionId: String(row.session_id),
    source: String(row.source),
    promptNumber: Number(row.prompt_number),
  };
}

const COLUMNS = ['row', 'source', 'session_id', 'prompt_number', 'project_id', 'first_at', 'last_at'];

/** Writes the turn as it is now. To be called in a transaction. */
function turnWriter(db: Database): (turn: TurnKey) => void {
  const remove = db.prepare('DELETE FROM turns WHERE session_id = ? AND source = ? AND prompt_number = ?');
  const names = [...COLUMNS, ...FIELDS];
  const insert = db.prepare(
    `INSERT INTO turns (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  const index = db.prepare(
    `INSERT INTO turn_text (rowid, ${FIELDS.join(', ')}) VALUES (?, ${FIELDS.map(() => '?').join(', ')})`,
  );
  return (turn) => {
    const document = readTurn(db, turn);
    remove.run(turn.sessionId, turn.source, turn.promptNumber);
    if (document === null || FIELDS.every((field) => document[field] === '')) return;
    const texts = FIELDS.map((field) => plain(document[field]));
    insert.run(...placeOf(document), ...texts);
    index.run(document.row, ...texts);
  };
}

function placeOf({ row, source, sessionId, promptNumber, projectId, firstAt, lastAt }: TurnDocument) {
  return [row, source, sessionId, promptNumber, projectId, firstAt, lastAt];
}
