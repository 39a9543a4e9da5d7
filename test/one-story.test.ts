import { expect, test, vi } from 'vitest';
import { AGENTS } from '../src/agents/_registry.ts';
import type { Approval } from '../src/approvals/approval.ts';
import { rowLine } from '../src/cli/output/row-line.ts';
import { turnLines } from '../src/cli/output/turn-lines.ts';
import { itemsOf } from '../src/history/calls/calls.ts';
import { type EventBrief, toBrief } from '../src/history/calls/event-brief.ts';
import { itemWith, listItems } from '../src/history/calls/list-calls.ts';
import { type Row, rowOf } from '../src/history/calls/row.ts';
import { turnsOf } from '../src/history/calls/turns.ts';
import { withWaiting } from '../src/history/calls/waiting.ts';
import { html } from '../src/history/share/html.ts';
import { sharePage } from '../src/history/share/page.ts';
import { isToolEvent } from '../src/model/events.ts';
import { none } from '../src/model/responses.ts';
import { eventSubject } from '../src/model/subject.ts';
import { oneLine } from '../src/model/text.ts';
import type { Database } from '../src/store/database/driver.ts';
import { openStore } from '../src/store/database/open.ts';
import { listEvents, listSessions } from '../src/store/read/queries.ts';
import { createApprovalStore } from '../src/store/record/approval-store.ts';
import { visibleLine } from '../src/terminal/visible.ts';
import { feedRows } from '../src/tui/feed.ts';
import { recordFixtures } from './fixture-cases.ts';
import { card } from './support/approvals.ts';
import { scratchPath } from './support/store/store.ts';

/** Wider than any row, so that nothing is cut. */
const WIDE = 400;
const NOW = 1_763_164_800_000;

vi.setConfig({ testTimeout: 120_000 });

test('a call is the same row with the same subject, outcome and words on every surface', () => {
  const db = openStore(scratchPath());
  const rows: Row[] = [];
  for (const { session, event } of recordFixtures(db)) {
    if (!isToolEvent(event)) continue;
    const row = onEverySurface(db, session, []);
    rows.push(row);
    expect(row.name, session).toBe(event.tool.name);
    expect(row.subject, session).toBe(oneLine(eventSubject(event), 160));
  }
  expect(rows.length).toBeGreaterThan(320);
  expectWatched(rows);
  db.close();
});

test('a call that needs approval is pending on every surface', () => {
  const db = openStore(scratchPath());
  const approvals = createApprovalStore(db, (text) => text);
  const rows: Row[] = [];
  for (const { session, event } of recordFixtures(db, [none()])) {
    if (!isToolEvent(event) || event.type === 'after_tool' || event.type === 'permission_denied') continue;
    const asks = event.type === 'before_tool' ? 'permission_request' : 'before_tool';
    const waiting = card(session, {
      eventId: `${session} waits`,
      source: event.source,
      sessionId: session,
      agentId: event.agentId,
      promptNumber: event.promptNumber,
      toolNumber: event.toolNumber,
      tool: event.tool,
      cwd: '/work/shop',
      projectId: '/work/shop',
      rules: ['my-rule'],
      asksPermission: asks === 'permission_request',
      createdAt: NOW,
      expiresAt: NOW + 60_000,
    });
    approvals.save(waiting);
    const row = onEverySurface(db, session, [waiting]);
    rows.push(row);
    expect(row, session).toMatchObject({ outcome: 'waiting', words: 'needs approval (my-rule)' });
    expect(row.subject, session).toBe(oneLine(eventSubject(event), 160));
  }
  expect(rows.length).toBeGreaterThan(40);
  expectWatched(rows);
  db.close();
});

/** The row of the one call of a session, which is the same wherever one looks. */
function onEverySurface(db: Database, session: string, waiting: readonly Approval[]): Row {
  const stored = listEvents(db, { session });
  const [item, ...others] = listItems(db, { session, limit: 10 }, NOW);
  if (item?.kind !== 'call') throw new Error(`${session} is not a call`);
  expect(others, session).toEqual([]);
  const row = rowOf(item);
  expect(row.place, session).toBe('shop');

  const text = [row.name, row.subject].filter(Boolean).join(' ');
  const printed = rowLine(row, WIDE);
  expect(printed, session).toContain(` ${text} `);
  expect(printed, session).toContain(` ${row.words} `);
  for (const width of [80, 100, 160]) expect(rowLine(row, width).length, session).toBeLessThanOrEqual(width);

  const [story] = listSessions(db, { session });
  if (!story || !stored[0]) throw new Error(`${session} was not stored`);
  const briefs = withWaiting(stored.map(toBrief), waiting);
  const shown = turnsOf(briefs, NOW).flatMap((turn) => turnLines(turn, false, WIDE));
  expect(rowsWith(shown, text), session).toHaveLength(1);
  expect(rowsWith(shown, text)[0], session).toContain(` ${row.words} `);

  // What the daemon sends to the page, and what the page makes of it.
  const sent: EventBrief[] = JSON.parse(JSON.stringify(briefs));
  const [onPage] = itemsOf(sent, NOW).map(rowOf);
  expect(onPage, session).toEqual(JSON.parse(JSON.stringify(row)));

  const page = sharePage(story, stored, AGENTS, (one) => one, NOW, waiting);
  expect(page.split('<details>'), session).toHaveLength(2);
  expect(page, session).toContain(
    html`</span> ${row.subject} <span class="${row.outcome ?? ''}">${row.words}</span>`.markup,
  );

  const why = itemWith(db, toBrief(stored[0]), NOW);
  expect(why && rowOf(why), session).toEqual(row);
  return row;
}

/** What `hookline watch` draws of them. */
function expectWatched(rows: readonly Row[]): void {
  const lines = watched(rows);
  for (const [at, row] of rows.entries()) {
    const text = visibleLine([row.name, row.subject].filter(Boolean).join(' '));
    expect(lines[at]).toContain(` ${oneLine(text)} `);
    expect(lines[at]).toContain(` ${row.words}`);
  }
}

function rowsWith(lines: readonly string[], text: string): readonly string[] {
  return lines.filter((line) => line.includes(` ${text} `));
}

function watched(rows: readonly Row[]): readonly string[] {
  const size = { height: rows.length, width: WIDE };
  return feedRows({ rows, selected: null, focused: false, ...size }).map((line) =>
    line.map(({ text }) => text).join(''),
  );
}
