import { expect, test } from 'vitest';
import { callWith, createMemoryRecorder, createTestEngine, saying } from '../../test/support/engine.ts';
import { none } from '../model/responses.ts';
import { handle } from './handle.ts';

const SECRET = `ghp_${'a1B2c3'.repeat(6)}`;

test('handlers and history see no secret in IDs, and unchanged tool names', async () => {
  const seen: unknown[] = [];
  const recorder = createMemoryRecorder();
  const handler = saying((event) => {
    seen.push(event);
    return none();
  });
  const engine = createTestEngine([handler], { recorder });
  const payload = (event: string) => ({
    hook_event_name: event,
    session_id: `s-${SECRET}`,
    tool_use_id: SECRET,
    agent_id: SECRET,
    tool_name: `mcp__x__${SECRET}`,
    tool_input: {},
    tool_response: 'done',
  });
  for (const event of ['PreToolUse', 'PostToolUse']) await handle(callWith('claude', payload(event)), engine);
  const safe = expect.stringMatching(/\[redacted:github-token\]-[\da-f]{8}$/);
  const expected = {
    sessionId: safe,
    agentId: safe,
    tool: { useId: safe, name: `mcp__x__${SECRET}`, mcp: { server: 'x', tool: SECRET } },
  };
  expect(seen).toMatchObject([expected, expected]);
  const [before, after] = recorder.records.map(({ event }) => event);
  expect(before?.sessionId).toBe(after?.sessionId);
  // The agent's answer contains what it sent.
  expect(before?.native).toMatchObject({ session_id: `s-${SECRET}` });
});
