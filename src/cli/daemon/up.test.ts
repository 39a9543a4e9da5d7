import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchHome, startDaemon } from '../../../test/support/daemon/daemon.ts';
import up from './up.ts';

test('it says which changes wait for a person', async () => {
  const paths = scratchHome();
  await startDaemon(paths);
  vi.stubEnv('HOOKLINE_HOME', paths.root);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => {
    vi.unstubAllEnvs();
    log.mockRestore();
  });
  const said = async () => {
    log.mockClear();
    expect(await up.run([])).toBe(0);
    return log.mock.calls.join('\n').replaceAll(/\s+/g, ' ');
  };
  expect(await said()).not.toContain('confirm');
  writeFileSync(paths.config, 'http: {port: 0}\npacks: {git: off}\n');
  const line = await said();
  expect(line).toContain('1 change to config.yaml weakens protection and needs your confirmation');
  expect(line).toContain('`hookline rules confirm`');
});
