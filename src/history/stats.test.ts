import { expect, test } from 'vitest';
import { beforeTool, call, scratchPath } from '../../test/support/store/store.ts';
import { openStore } from '../store/database/open.ts';
import { createRecorder } from '../store/record/recorder.ts';
import { readStats } from './stats.ts';

test("a person's answering time doesn't count as Hookline's cost", () => {
  const db = openStore(scratchPath());
  const recorder = createRecorder(db, { redact: (text) => text });
  const asked = recorder.place(beforeTool('npm install'));
  recorder.commit(call(recorder.place(beforeTool('ls')), { latencyMs: 1 }));
  recorder.commit(call(asked, { latencyMs: 56_003 }));
  db.prepare(
    `INSERT INTO approvals (id, event_id, source, session_id, state, created_at, settled_at, approval)
     VALUES ('a', ?, ?, ?, 'allowed', 1000, 57000, '{"rules":[]}')`,
  ).run(asked.id, asked.source, asked.sessionId);
  const { hookMs, approvals } = readStats(db, {});
  expect(hookMs).toEqual({ median: 3, p95: 3, max: 3, total: 4 });
  expect(approvals).toEqual({ n: 1, medianMs: 56_000 });
  expect(readStats(db, { session: 'another' }).approvals.n).toBe(0);
  db.close();
});
