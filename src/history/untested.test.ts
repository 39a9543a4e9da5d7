import { expect, test } from 'vitest';
import { callWith, createMemoryRecorder } from '../../test/support/engine.ts';
import { handled, rulesHandlerOf } from '../../test/support/history/replay.ts';
import { AGENTS } from '../agents/_registry.ts';

const RULES = 'rules: [{ id: tests, on: stop, untested: true, deny: Run the tests. }]';

/** The decision at a stop of Codex, after a file was changed and then this happened. */
async function decidedAfter(tested: object): Promise<string | undefined> {
  const call = (payload: object) => callWith('codex', { session_id: 't1', cwd: '/work', ...payload });
  const request = {
    id: 'p',
    tool: 'Edit',
    input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' },
    cwd: '/work',
  };
  const patch: object = Object(AGENTS.get('codex')?.toolPayload(request));
  const end = call({ hook_event_name: 'Stop', stop_hook_active: false });
  const decisions = await handled(
    [
      call({
        ...patch,
        session_id: 't1',
        hook_event_name: 'PostToolUse',
        tool_response: 'Exit code: 0\nWall time: 0 seconds\nOutput:\n',
      }),
      call(tested),
      end,
    ],
    (now) => [rulesHandlerOf(RULES, now)],
    createMemoryRecorder(),
  );
  return decisions.get(end.id);
}

const ran = (tool_response: string) => ({
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm test' },
  tool_response,
});
const item = (exitCode: number) => ({
  method: 'item/completed',
  params: {
    threadId: 't1',
    turnId: 'u',
    item: {
      type: 'commandExecution',
      id: 'c1',
      command: 'npm test',
      cwd: '/work',
      status: exitCode === 0 ? 'completed' : 'failed',
      exitCode,
      aggregatedOutput: '',
    },
  },
});

test.each([
  ['its hooks, which send no exit code', ran('all 12 tests passed\n'), 'deny'],
  ['hooks of older versions, which had it', ran('Exit code: 0\nWall time: 1 seconds\nOutput:\n'), 'none'],
  [
    'hooks of older versions, where tests failed',
    ran('Exit code: 1\nWall time: 1 seconds\nOutput:\n'),
    'deny',
  ],
  ['its app-server', item(0), 'none'],
  ['its app-server, where tests failed', item(1), 'deny'],
])('a test run of Codex, reported by %s', async (_, tested, decision) => {
  expect(await decidedAfter(tested)).toBe(decision);
});
