import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { homePaths } from '../../home/paths.ts';
import { importRules } from './import.ts';

/** The output of `hookline rules import <agent> --json` for these JSON files in the home and the project. */
async function imported(agent: string, files: (home: string, project: string) => Record<string, object>) {
  const [home, project] = [scratchFolder(), scratchFolder()];
  for (const [path, content] of Object.entries(files(home, project))) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(content));
  }
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CONFIG_HOME', join(home, 'config'));
  vi.stubEnv('FACTORY_HOME_OVERRIDE', join(home, 'droid'));
  vi.spyOn(process, 'cwd').mockReturnValue(project);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  await importRules(homePaths(scratchFolder()), agent, undefined, {
    by: '',
    yes: false,
    json: true,
    changed: async () => {},
  });
  return { project, ...JSON.parse(String(log.mock.calls[0]?.[0])) };
}

test('permissions in the folder of a project are for that project only', async () => {
  const permission = { bash: { 'make *': 'allow' } };
  const { project, files, text } = await imported('opencode', (_, folder) => ({
    [join(folder, 'opencode.json')]: { permission },
  }));
  expect(files).toEqual([join(project, 'opencode.json')]);
  expect(text).toContain(`cwd: ${project}/**`);
});

test.each([
  ['opencode', 'config/opencode/opencode.json', { permission: { bash: 'ask' } }],
  ['droid', 'droid/.factory/settings.json', { commandDenylist: ['make'] }],
])(
  '%s: the user’s settings are found where a variable has moved them, and are for every project',
  async (agent, path, content) => {
    const { files, text } = await imported(agent, (home) => ({ [join(home, path)]: content }));
    expect(files).toEqual([expect.stringContaining(path)]);
    expect(text).not.toContain('cwd:');
  },
);
