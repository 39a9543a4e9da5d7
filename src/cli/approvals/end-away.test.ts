import { expect, onTestFinished, test, vi } from 'vitest';
import { person, useHome } from '../../../test/support/cli.ts';
import { scratchHome, startDaemon } from '../../../test/support/daemon/daemon.ts';
import { endAway } from './end-away.ts';

test('without away mode, shows what happened the last time', async () => {
  const paths = scratchHome('http: {port: 0}\n');
  useHome(paths);
  const { hub } = await startDaemon(paths, { access: person });
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const said = async () => {
    log.mockClear();
    await endAway(false);
    return log.mock.calls.map(([line]) => String(line)).join('\n');
  };
  hub.away.begin(null, 'maya');
  expect(await said()).toMatch(/^Welcome back\.\n\nWhile you were away {2}/);
  expect(await said()).toMatch(/^Away mode was not on\.\n\nThe last time you were away {2}/);
});
