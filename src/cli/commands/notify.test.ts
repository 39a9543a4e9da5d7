import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchHome, startDaemon } from '../../daemon/testing.ts';
import type { Access } from '../../model/access.ts';
import notify from './notify.ts';

const person: Access = { decide: async () => ({ allowed: true, by: 'maya', scriptKey: null }) };

async function said(...args: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    const code = await notify.run(args);
    return { code, text: log.mock.calls.map(([line]) => String(line)).join('\n') };
  } finally {
    log.mockRestore();
  }
}

test('without a channel nothing was tried; one that was added since is said not to be in force', async () => {
  const paths = scratchHome('http: {port: 0}\n');
  vi.stubEnv('HOOKLINE_HOME', paths.root);
  onTestFinished(() => void vi.unstubAllEnvs());
  await startDaemon(paths, { access: person });
  expect(await said()).toEqual({ code: 0, text: expect.not.stringContaining('Not in force yet') });
  expect(await said('test')).toEqual({ code: 1, text: expect.stringContaining('No channel is open') });
  writeFileSync(paths.config, 'http: {port: 0}\nnotify: {ntfy: {server: "http://127.0.0.1:9"}}\n');
  expect((await said()).text).toContain('Not in force yet: `notify` in config.yaml has changed');
  expect(JSON.parse((await said('--json')).text)).toMatchObject({ inForce: false });
});
