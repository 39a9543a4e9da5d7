import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openScriptKeys } from '../../access/script-keys.ts';
import { openTestHistory, turn } from '../../history/testing-history.ts';
import { homePaths } from '../../home/paths.ts';
import { closeStore } from '../../store/open.ts';
import { scratchFolder } from '../../testing/scratch.ts';
import type { Command } from '../command.ts';
import exportCommand from './export.ts';
import forget from './forget.ts';
import memory from './memory.ts';
import prune from './prune.ts';
import search from './search.ts';
import sessions from './sessions.ts';
import show from './show.ts';
import stats from './stats.ts';

let home = '';

/** A home with two sessions that nobody has observed yet, and no daemon. */
beforeEach(() => {
  home = scratchFolder();
  const history = openTestHistory();
  const now = Date.now();
  for (const payload of turn('one', 'Fix the auth bug')) history.send('claude', payload, now - 2000);
  for (const payload of turn('two', 'Paint the button', 'web/button.css'))
    history.send('claude', payload, now);
  closeStore(history.db);
  copyFileSync(history.path, join(home, 'hookline.db'));
  vi.stubEnv('HOOKLINE_HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
});

async function said(command: Command, ...args: string[]): Promise<string[]> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    expect(await command.run(args)).toBe(0);
    return log.mock.calls.map(([line]) => String(line));
  } finally {
    log.mockRestore();
  }
}

test('search', async () => {
  const hits = (await said(search, 'auth', 'bug', '--json')).map((line) => JSON.parse(line));
  expect(hits[0]).toMatchObject({ sessionId: 'one', observation: { kind: 'intent' } });
  expect(await said(search, 'npm', '--file', 'web/**', '--kind', 'command', '--since', '1d')).toHaveLength(1);
  expect(await said(search, 'npm', '--agent', 'nobody')).toEqual(['Nothing found.']);
  await expect(search.run(['npm', '--since', 'soon'])).rejects.toThrow('--since takes');
  await expect(search.run(['npm', '--kind', 'nothing'])).rejects.toThrow('There is no kind');
  await expect(search.run([])).rejects.toThrow('What is to be found?');
});

test('sessions and show', async () => {
  const list = (await said(sessions, '--json')).map((line) => JSON.parse(line));
  expect(list.map(({ sessionId }) => sessionId)).toEqual(['two', 'one']);
  expect(list[1].summary).toBe(
    'Fix the auth bug · 1 file changed, 1 command, tests failing (1 run), 1 error',
  );
  const [text = ''] = await said(show, 'one');
  expect(text).toContain('edit src/login.ts');
  await expect(show.run(['three'])).rejects.toThrow('There is no session three.');
});

test('stats and memory', async () => {
  const [numbers = ''] = await said(stats, '--json');
  expect(JSON.parse(numbers)).toMatchObject({ events: 12, sessions: 2, prompts: 2 });
  expect((await said(stats))[0]).toContain('12 events, 2 sessions, 2 prompts');
  const [pack = ''] = await said(memory, '/project', '--json');
  expect(JSON.parse(pack)).toMatchObject({ on: false, text: expect.stringContaining('Fix the auth bug') });
});

test('export', async () => {
  const out = join(home, 'out.jsonl');
  expect(await said(exportCommand, '--out', out, '--session', 'one')).toEqual([`Wrote 12 lines to ${out}.`]);
  const lines = readFileSync(out, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).line)).toHaveLength(12);
});

test('forget and prune', async () => {
  const key = openScriptKeys(homePaths(home).scriptKeys).create('test') ?? '';
  vi.stubEnv('HOOKLINE_SCRIPT_KEY', key);
  expect(await said(forget, 'one', '--yes', '--json', '--as-script')).toEqual(['{"events":6,"sessions":1}']);
  expect(await said(search, 'auth')).toEqual(['Nothing found.']);
  await expect(forget.run(['two', '--match', 'x', '--yes'])).rejects.toThrow('Give a session');
  writeFileSync(join(home, 'config.yaml'), 'retention: { days: 0 }\n');
  const [gone = ''] = await said(prune, '--json', '--as-script');
  // One of them is the use of the key for the first command.
  expect(JSON.parse(gone)).toMatchObject({ events: 7, sessions: 2 });
});
