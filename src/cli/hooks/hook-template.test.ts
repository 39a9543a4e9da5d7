import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { printed } from '../../../test/support/cli.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { openScriptKeys } from '../../access/script-keys.ts';
import { homePaths } from '../../home/paths.ts';
import hooks from './hooks.ts';

let home = '';

beforeEach(() => {
  home = scratchFolder();
  vi.stubEnv('HOOKLINE_HOME', home);
  vi.stubEnv('HOOKLINE_SCRIPT_KEY', openScriptKeys(homePaths(home).scriptKeys).create('test') ?? '');
  onTestFinished(() => void vi.unstubAllEnvs());
});

test('hooks new writes the hook that the docs show', async () => {
  await printed(hooks, ['new', 'guard', '--as-script']);
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/hooks.md'), 'utf8');
  const [, shown = ''] = /```ts\n([\s\S]*?)```/.exec(docs) ?? [];
  const lines = (text: string) => text.split('\n').map((line) => line.trim());
  expect(lines(readFileSync(join(home, 'hooks', 'guard.ts'), 'utf8'))).toEqual(lines(shown));
});

test.each(['Bash', 'PowerShell', 'Write', 'Edit', 'WebFetch'])(
  'a new hook for %s denies the call that hooks new suggests to try',
  async (tool) => {
    const said = await printed(hooks, ['new', 'guard', '--tool', tool, '--as-script']);
    const [, input = ''] = /--input '(.*)'/.exec(said.join('\n')) ?? [];
    const result = await printed(hooks, ['test', 'guard', '--tool', tool, '--input', input]);
    expect(result.join('\n')).toContain('deny');
  },
);
