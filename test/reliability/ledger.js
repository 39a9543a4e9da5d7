// What was sent and answered, and what the record has of it.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isWronglyAllowed } from './calls.js';

/** Calls that were answered must be in the record, each once. */
export function createLedger() {
  const answered = new Set();
  const times = [];
  let failed = 0;
  let wronglyAllowed = 0;
  return {
    times,
    /** An answer that the agent acts on: from then on the call has to be in the record. */
    note(call, decision, ms) {
      times.push(ms);
      if (isWronglyAllowed(call, decision)) wronglyAllowed += 1;
      if (decision === 'failed') failed += 1;
      else answered.add(call.id);
    },
    get calls() {
      return times.length;
    },
    get failed() {
      return failed;
    },
    get wronglyAllowed() {
      return wronglyAllowed;
    },
    /** The ids of all that were answered so far. */
    ids: () => [...answered],
    /** Reads the record, which no daemon may have open. */
    compare(home) {
      const stored = storedIds(home.database);
      const missing = [...answered].filter((id) => !stored.has(id));
      const doubled = [...answered].filter((id) => (stored.get(id) ?? 0) > 1);
      return { missing, doubled: doubled.length };
    },
  };
}

/** How often the record has each call, by the id that the agent gave it. */
function storedIds(path) {
  const stored = new Map();
  if (!existsSync(path)) return stored;
  const Database = createRequire(import.meta.url)('libsql');
  const db = new Database(path);
  try {
    const rows = db.prepare('SELECT tool_use_id AS id FROM events WHERE tool_use_id IS NOT NULL').iterate();
    for (const { id } of rows) stored.set(id, (stored.get(id) ?? 0) + 1);
  } catch {
    // Not a database any more: nothing of what it had is in the record.
  } finally {
    db.close();
  }
  return stored;
}
