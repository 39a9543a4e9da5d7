#!/usr/bin/env node
// An agent as far as a newcomer needs one: it says its version, and asks the hooks in its settings about one call.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

if (process.argv.includes('--version')) {
  console.log('2.1.325 (Claude Code)');
  process.exit(0);
}

const settings = JSON.parse(readFileSync(join(process.env.HOME, '.claude', 'settings.json'), 'utf8'));
const payload = {
  session_id: 'first-session',
  transcript_path: '',
  cwd: process.cwd(),
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm publish' },
  tool_use_id: 't1',
};
const hooks = settings.hooks.PreToolUse.flatMap((group) => group.hooks);
const answers = hooks.map(({ command }) =>
  spawnSync('sh', ['-c', command], { input: JSON.stringify(payload), encoding: 'utf8' }),
);
const isDenied = answers.some(({ stdout }) => stdout.includes('"permissionDecision":"deny"'));
console.log(isDenied ? 'It was denied.' : 'It ran.');
process.exit(isDenied ? 0 : 1);
