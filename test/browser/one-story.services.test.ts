import { afterAll, expect } from 'vitest';
import { listItems } from '../../src/history/calls/list-calls.ts';
import { rowOf } from '../../src/history/calls/row.ts';
import { isToolEvent } from '../../src/model/events.ts';
import { openStore } from '../../src/store/database/open.ts';
import { recordFixtures } from '../fixture-cases.ts';
import { scratchHome, startDaemon } from '../support/daemon/daemon.ts';
import { closeBrowser, openPage, testInBrowser } from './chromium.ts';

afterAll(closeBrowser);

testInBrowser(
  'the page shows a call as the command line does, for every fixture',
  { timeout: 300_000 },
  async () => {
    const paths = scratchHome();
    const db = openStore(paths.database);
    const all = recordFixtures(db).filter(({ event }) => isToolEvent(event));
    // Every fixture once, and every answer often: they are recorded four times, with another answer each.
    const some = all.filter((_, at) => at % 4 === Math.floor(at / 4) % 4);
    const rows = some.map(({ session }) => {
      const [item] = listItems(db, { session, limit: 1 }, Date.now());
      if (!item) throw new Error(`${session} has no row`);
      return { session, row: rowOf(item) };
    });
    db.close();

    const daemon = await startDaemon(paths);
    const { page, complaints } = await openPage();
    await page.goto(daemon.dashboardLink());
    await page.getByText('Live', { exact: true }).waitFor();
    const { origin } = new URL(page.url());
    for (const { session, row } of rows) {
      await page.goto(`${origin}/#/session/${row.source}/${encodeURIComponent(session)}`);
      await page.locator(`[data-session=${JSON.stringify(session)}]`).waitFor();
      const calls = page.locator('.turn [data-call]');
      expect(await calls.count(), session).toBe(1);
      const shown = (await calls.first().textContent())?.replace(/^\d+:\d\d/, '');
      expect(shown?.startsWith(`${row.name} ${row.subject}${row.words}`), `${session}: ${shown}`).toBe(true);
    }
    expect(rows.length).toBeGreaterThan(80);
    expect(complaints).toEqual([]);
  },
);
