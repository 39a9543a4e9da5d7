import { join } from 'node:path';
import { testAgent } from '../../../test/support/agents/contract.ts';
import { testWrapper } from '../../../test/support/agents/wrapper.ts';
import claude from './index.ts';

testAgent(claude, {
  fixtures: new URL('./fixtures/', import.meta.url),
  env: { CLAUDE_ENV_FILE: '/home/dev/.claude/session-env/hook.sh' },
});

testWrapper(claude.setup, {
  guard: 'PreToolUse',
  note: 'PostToolUse',
  install(machine, { home }) {
    const installPath = join(home, '.claude/plugins/cache/hookline/hookline/1.2.3');
    const plugins = { 'hookline@hookline': [{ scope: 'user', installPath, version: '1.2.3' }] };
    machine.write(
      join(home, '.claude/plugins/installed_plugins.json'),
      JSON.stringify({ version: 2, plugins }),
    );
    const settings = join(home, '.claude/settings.json');
    machine.write(
      settings,
      JSON.stringify({ ...machine.json(settings), enabledPlugins: { 'hookline@hookline': true } }),
    );
    return installPath;
  },
  disable: (machine, { cwd }) =>
    machine.write(
      join(cwd, '.claude/settings.local.json'),
      JSON.stringify({ enabledPlugins: { 'hookline@hookline': false } }),
    ),
});
