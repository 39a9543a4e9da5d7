import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { person, printed, useHome } from '../../../test/support/cli.ts';
import { changeSettings, scratchHome, startDaemon } from '../../../test/support/daemon/daemon.ts';
import notify from './notify.ts';

const said = async (code: number, ...args: string[]) => (await printed(notify, args, code)).join('\n');

test('tests nothing without a channel, and reports an added one as not active yet', async () => {
  const paths = scratchHome('http: {port: 0}\n');
  useHome(paths);
  const daemon = await startDaemon(paths, { access: person });
  expect(await said(0)).not.toContain('Not active yet');
  expect(await said(1, 'test')).toContain('No channel is active');
  const withChannel = 'http: {port: 0}\nnotify: {ntfy: {server: "http://127.0.0.1:9"}}\n';
  writeFileSync(paths.config, withChannel);
  expect(await said(0)).toContain('1 change to config.yaml weakens protection and needs your confirmation: ');
  writeFileSync(paths.config, 'http: {port: 0}\n');
  changeSettings(daemon, withChannel);
  expect(await said(0)).toContain('Not active yet: `notify` changed');
  expect(JSON.parse(await said(0, '--json'))).toMatchObject({ inForce: false });
});
