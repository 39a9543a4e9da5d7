import { expect, test, vi } from 'vitest';
import { AGENTS } from '../src/agents/_registry.ts';
import { rowLine } from '../src/cli/row-line.ts';
import { turnLines } from '../src/cli/turn-lines.ts';
import { itemsOf } from '../src/history/calls.ts';
import { type EventBrief, toBrief } from '../src/history/event-brief.ts';
import { itemWith, listItems } from '../src/history/list-calls.ts';
import { type Row, rowOf } from '../src/history/row.ts';
import { html } from '../src/history/share/html.ts';
import { sharePage } from '../src/history/share/page.ts';
import { turnsOf } from '../src/history/turns.ts';
import { isToolEvent } from '../src/model/events.ts';
import { eventSubject } from '../src/model/subject.ts';
import { oneLine } from '../src/model/text.ts';
import { openStore } from '../src/store/open.ts';
import { listEvents, listSessions } from '../src/store/queries.ts';
import { scratchPath } from '../src/store/testing.ts';
import { visibleLine } from '../src/terminal/visible.ts';
import { feedRows } from '../src/tui/feed.ts';
import { recordFixtures } from './fixture-cases.ts';

/** Wider than any row, so that nothing is cut. */
const WIDE = 400;
const NOW = 1_763_164_800_000;

vi.setConfig({ testTimeout: 120_000 });

test('the same call is one row with the same subject, outcome and words on every surface', () => {
  const db = openStore(scratchPath());
  const rows: Row[] = [];
  for (const { session, event } of recordFixtures(db)) {
    const name = session;
    if (!isToolEvent(event)) continue;
    const stored = listEvents(db, { session });
    const [item, ...others] = listItems(db, { session, limit: 10 }, NOW);
    if (item?.kind !== 'call') throw new Error(`${name} is no call`);
    expect(others, name).toEqual([]);
    const row = rowOf(item);
    rows.push(row);
    expect(row.name, name).toBe(event.tool.name);
    expect(row.subject, name).toBe(oneLine(eventSubject(event), 160));
    expect(row.place, name).toBe('shop');

    const text = [row.name, row.subject].filter(Boolean).join(' ');
    const printed = rowLine(row, WIDE);
    expect(printed, name).toContain(` ${text} `);
    expect(printed, name).toContain(` ${row.words} `);

    for (const width of [80, 100, 160]) expect(rowLine(row, width).length, name).toBeLessThanOrEqual(width);

    const [story] = listSessions(db, { session });
    if (!story || !stored[0]) throw new Error(`${name} was not stored`);
    const shown = turnsOf(stored.map(toBrief), NOW).flatMap((turn) => turnLines(turn, false, WIDE));
    expect(rowsWith(shown, text), name).toHaveLength(1);
    expect(rowsWith(shown, text)[0], name).toContain(` ${row.words} `);

    // What the daemon sends to the page, and what the page makes of it.
    const sent: EventBrief[] = JSON.parse(JSON.stringify(stored.map(toBrief)));
    const [onPage] = itemsOf(sent, NOW).map(rowOf);
    expect(onPage, name).toEqual(JSON.parse(JSON.stringify(row)));

    const page = sharePage(story, stored, AGENTS, (one) => one, NOW);
    expect(page.split('<details>'), name).toHaveLength(2);
    expect(page, name).toContain(
      html`</span> ${row.subject} <span class="${row.outcome ?? ''}">${row.words}</span>`.markup,
    );

    const why = itemWith(db, toBrief(stored[0]), NOW);
    expect(why && rowOf(why), name).toEqual(row);
  }
  expect(rows.length).toBeGreaterThan(320);
  const lines = watched(rows);
  for (const [at, row] of rows.entries()) {
    const text = visibleLine([row.name, row.subject].filter(Boolean).join(' '));
    expect(lines[at]).toContain(` ${oneLine(text)} `);
    expect(lines[at]).toContain(` ${row.words}`);
  }
  db.close();
});

function rowsWith(lines: readonly string[], text: string): readonly string[] {
  return lines.filter((line) => line.includes(` ${text} `));
}

/** What `hookline watch` draws. */
function watched(rows: readonly Row[]): readonly string[] {
  const size = { height: rows.length, width: WIDE };
  return feedRows({ rows, selected: null, focused: false, ...size }).map((line) =>
    line.map(({ text }) => text).join(''),
  );
}
