import { expect, test } from 'vitest';
import { openTestHistory, turn } from '../../test/support/history/history.ts';
import { startObserving } from './observing.ts';

test('catching up processes what is new, and leaves what is old for later', async () => {
  const history = openTestHistory();
  for (const payload of turn('old', 'Fix the auth bug')) history.send('claude', payload);
  history.observe();
  history.db.exec(`DELETE FROM turns;
    UPDATE turns_indexed SET backlog_row = (SELECT max(row) FROM observations)`);
  for (const payload of turn('new', 'Paint the button')) history.send('claude', payload);
  const observing = startObserving(history.db, () => {});
  expect(await observing.catchUp(60_000)).toBe(true);
  observing.stop();
  expect(history.db.prepare('SELECT session_id FROM turns').all()).toEqual([{ session_id: 'new' }]);
});
