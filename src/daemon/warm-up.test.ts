import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchHome, startDaemon } from '../../test/support/daemon/daemon.ts';
import { countEvents, listSessions } from '../store/read/queries.ts';
import { warmUp } from './warm-up.ts';

test('warming up records nothing, creates no approval and runs no hook', async () => {
  const paths = scratchHome();
  const trace = join(paths.root, 'trace');
  writeFileSync(join(paths.rules, 'all.yaml'), "rules: [{ id: all, tool: '*', ask: 'Check this.' }]\n");
  const hook = ['type: command', 'dialect: claude', 'on: before_tool', `command: touch ${trace}`];
  writeFileSync(paths.hooksFile, `hooks:\n  - ${hook.join('\n    ')}\n`);
  const daemon = await startDaemon(paths);
  await warmUp(daemon, 8);
  expect(countEvents(daemon.home.db)).toBe(0);
  expect(listSessions(daemon.home.db)).toEqual([]);
  expect(daemon.hub.approvals.queue.pending()).toEqual([]);
  expect(existsSync(trace)).toBe(false);
  const payload = {
    ...{ session_id: 's', cwd: '/', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 't' },
    tool_input: { command: 'ls' },
  };
  await daemon.hub.call({ id: 'real', receivedAt: 1, agent: 'claude', event: null, env: {}, payload });
  expect(existsSync(trace)).toBe(true);
});

test('warming up ends with the daemon', async () => {
  const daemon = await startDaemon(scratchHome());
  const warming = warmUp({ ...daemon, stopped: Promise.resolve() }, Number.POSITIVE_INFINITY);
  expect(await warming).toBeLessThanOrEqual(1);
});
