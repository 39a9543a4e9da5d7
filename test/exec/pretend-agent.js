#!/usr/bin/env node
// An agent as far as `hookline exec` needs one: it calls the hooks in its settings as the real one does in a turn, and
// does what its prompt says.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const args = process.argv.slice(2);
if (args.includes('--version')) {
  console.log('2.1.325 (Claude Code)');
  process.exit(0);
}
const prompt = args[args.indexOf('-p') + 1];
writeFileSync('seen.json', JSON.stringify({ args, env: Object.keys(process.env) }));
const settings = JSON.parse(readFileSync(join(process.env.HOME, '.claude', 'settings.json'), 'utf8'));

function call(event, fields) {
  if (prompt.includes('without hooks')) return {};
  const payload = {
    session_id: 'pretended',
    transcript_path: '',
    cwd: process.cwd(),
    permission_mode: 'default',
    hook_event_name: event,
    ...fields,
  };
  const hooks = (settings.hooks[event] ?? []).flatMap((group) => group.hooks);
  for (const { command } of hooks) {
    const { stdout } = spawnSync('sh', ['-c', command], { input: JSON.stringify(payload), encoding: 'utf8' });
    if (stdout.trim() !== '') return JSON.parse(stdout);
  }
  return {};
}

const bash = { tool_name: 'Bash', tool_input: { command: 'make it' }, tool_use_id: 't1' };
const end = { last_assistant_message: 'It is made.' };

call('SessionStart', { source: 'startup' });
if (call('UserPromptSubmit', { prompt }).decision === 'block') process.exit(0);
if (prompt.includes('fail')) {
  console.error('no model answers');
  process.exit(4);
}
if (prompt.includes('hang')) {
  // One that has left the group.
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    detached: true,
    stdio: 'ignore',
  });
  // Renamed into place: the test reads the file as soon as it sees it.
  writeFileSync('hanging.json.draft', JSON.stringify([process.pid, child.pid]));
  renameSync('hanging.json.draft', 'hanging.json');
  setInterval(() => {}, 1000);
} else {
  work();
}

function work() {
  const judged = call('PreToolUse', bash).hookSpecificOutput?.permissionDecision;
  const asked =
    judged === undefined ? call('PermissionRequest', bash).hookSpecificOutput?.decision?.behavior : judged;
  if (asked === 'allow') call('PostToolUse', { ...bash, tool_response: { stdout: '' } });
  if (prompt.includes('question'))
    call('PreToolUse', {
      tool_name: 'AskUserQuestion',
      tool_input: {
        questions: [{ question: 'Which?', header: 'h', options: [{ label: 'a' }], multiSelect: false }],
      },
      tool_use_id: 't2',
    });
  if (call('Stop', { stop_hook_active: false, ...end }).decision === 'block')
    call('Stop', { stop_hook_active: true, ...end });
  call('SessionEnd', { reason: 'other' });
}
