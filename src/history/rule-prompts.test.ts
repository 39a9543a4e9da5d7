import { expect, test } from 'vitest';
import { callWith } from '../../test/support/engine.ts';
import { handled, rulesHandlerOf } from '../../test/support/history/replay.ts';
import { scratchPath } from '../../test/support/store/store.ts';
import { AGENTS } from '../agents/_registry.ts';
import type { Database } from '../store/database/driver.ts';
import { openStore } from '../store/database/open.ts';
import { createRecorder } from '../store/record/recorder.ts';
import { readRulePrompts } from './rule-prompts.ts';

const RULES = `
rules:
  - { id: push, command: git push, ask: Why? }
  - { id: publish, command: npm publish, ask: Why? }
  - { id: tests, command: npm test, allow: true }
`;

async function recorded(...lines: readonly string[]): Promise<Database> {
  const db = openStore(scratchPath());
  const calls = lines.map((command, at) =>
    callWith(
      'claude',
      AGENTS.get('claude')?.toolPayload({ id: `u${at}`, tool: 'Bash', input: { command }, cwd: '/w' }),
    ),
  );
  await handled(calls, (now) => [rulesHandlerOf(RULES, now)], createRecorder(db, { redact: (text) => text }));
  return db;
}

function approval(db: Database, id: string, rule: string, state: string): void {
  const text = JSON.stringify({ rules: [rule], projectId: '/w' });
  db.prepare(
    `INSERT INTO approvals (id, event_id, source, session_id, state, created_at, settled_at, approval)
     VALUES (?, ?, 'claude', 's', ?, 10, 20, ?)`,
  ).run(id, `event of ${id}`, state, text);
}

test("counts what rules asked, what people answered, and what wasn't asked", async () => {
  const db = await recorded('git push', 'git push -q', 'npm test', 'npm test', 'ls');
  // The first of them was allowed in the agent's own dialog, and ran.
  db.exec(`UPDATE events SET outcome = 'ok' WHERE row = (SELECT min(row) FROM events)`);
  expect(readRulePrompts(db, {})).toEqual([
    { rule: 'push', asked: 2, allowed: 1, refused: 0, saved: 0 },
    { rule: 'tests', asked: 0, allowed: 0, refused: 0, saved: 2 },
  ]);
});

test('counts answers given to Hookline, and lists the most overruled rule first', async () => {
  const db = await recorded('git push');
  for (const [at, state] of ['allowed', 'allowed', 'denied', 'expired'].entries())
    approval(db, `a${at}`, 'publish', state);
  expect(readRulePrompts(db, {})).toEqual([
    { rule: 'publish', asked: 4, allowed: 2, refused: 1, saved: 0 },
    { rule: 'push', asked: 1, allowed: 0, refused: 0, saved: 0 },
  ]);
  expect(readRulePrompts(db, { source: 'unknown' })).toEqual([]);
  expect(readRulePrompts(db, { project: '/elsewhere' })).toEqual([]);
});
