import { describe, expect, test } from 'vitest';
import { judged } from './judged.ts';

// An agent disables what makes agents ask, or starts one that does not: by the agents' own commands, options and
// variables, and through directories that lead to the files.

const DENIED = [
  `echo '{}' > ~/.claude/plugins/installed_plugins.json`,
  'rm -rf ~/.claude/plugins',
  'claude plugin disable hookline@hookline',
  'claude plugins uninstall hookline --scope user',
  'claude plugin marketplace remove hookline',
  'claude plugin disable --all',
  'echo x > .factory/settings.local.json',
  'mv ~/.pi/agent /tmp/x',
  'mv ~/.cline/data /tmp/x',
  'rm ~/.config/opencode/plugin/hookline.js',
  'ln -sf /dev/null ~/.config/kilo/plugin/hookline.js',
  'npx opencode-ai --pure run hi',
];

const ASKED = [
  // Instructions that an agent gets in every project.
  'cp -r skill ~/.pi/agent/skills/',
  'XDG_CONFIG_HOME=/tmp/x opencode run hi',
  'export XDG_CONFIG_HOME=/tmp/x; kilo run hi',
  'OPENCODE_PURE=1 opencode run hi',
  'copilot --config-dir /tmp/x -p hi',
  'copilot -p hi --allow-all-tools',
  'droid exec --skip-permissions-unsafe hi',
  'cline -y hi',
  'cline --auto-approve true hi',
  'opencode run --yolo hi',
];

const EVERYDAY = [
  'claude plugin install other',
  'claude plugin disable other',
  'claude plugin list',
  'cat ~/.claude/plugins/installed_plugins.json',
  'copilot -p hi',
  'droid exec hi',
  'cline hi',
  'opencode run hi',
  'XDG_CONFIG_HOME=/tmp/x npm ci',
  'mkdir -p ~/.pi/agent',
];

describe('with the default rules', () => {
  const decide = judged();
  test.each(DENIED)('denied: %s', (command) => {
    expect(decide(command)).toBe('deny');
  });
  test.each(ASKED)('asked: %s', (command) => {
    expect(decide(command)).toBe('ask');
  });
  test.each(EVERYDAY)('no decision: %s', (command) => {
    expect(decide(command)).toBe('none');
  });
});
