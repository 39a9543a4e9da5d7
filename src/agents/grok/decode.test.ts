import { expect, test } from 'vitest';
import { readFixtures } from '../../../test/support/agents/fixtures.ts';
import { callWith, createTestEngine, saying } from '../../../test/support/engine.ts';
import { handle } from '../../engine/handle.ts';
import grok from './index.ts';

const fixtures = readFixtures(new URL('./fixtures/', import.meta.url).pathname, {});
const payloadOf = (name: string) => fixtures.find((fixture) => fixture.name === name)?.call.payload;

test.each(fixtures.map(({ name }) => name))('recognizes %s in the settings of Claude Code', async (name) => {
  const engine = createTestEngine([]);
  const { record } = await handle(callWith('claude', payloadOf(name)), engine);
  expect(record.event.source).toBe('grok');
});

test('a denial through the settings of Claude Code is in a format that the client reads', async () => {
  const engine = createTestEngine([saying(() => ({ decision: 'deny', reason: 'no' }))]);
  const { answer, record } = await handle(callWith('claude', payloadOf('PreToolUse/shell')), engine);
  expect(record.event).toMatchObject({ type: 'before_tool', tool: { name: 'Bash', kind: 'shell' } });
  expect(answer).toEqual({
    action: 'json_output',
    stdout_json: {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'no',
      },
    },
  });
});

test.each(['open', 'closed'] as const)(
  'a call truncated by the client is denied in failure mode %s',
  async (failure) => {
    const engine = createTestEngine([saying(() => ({ decision: 'allow' }))], { failure });
    const { answer } = await handle(callWith('grok', payloadOf('PreToolUse/cut')), engine);
    expect(answer).toMatchObject({
      stdout_json: { hookSpecificOutput: { permissionDecision: 'deny' } },
    });
  },
);

test("a server's tool has its own arguments, and gets changed ones back in those of the dispatcher", () => {
  const event = grok.decode({
    id: 'c',
    receivedAt: 1,
    event: null,
    payload: payloadOf('PreToolUse/mcp'),
    env: {},
  });
  expect(event).toMatchObject({ tool: { input: { name: 'Bob' }, mcp: { server: 'lab', tool: 'say_hi' } } });
  const { answer } = grok.encode(event, { decision: 'none', modifyArgs: { name: 'Ann' } }, {});
  expect(answer).toMatchObject({
    stdout_json: {
      hookSpecificOutput: { updatedInput: { tool_name: 'lab__say_hi', tool_input: { name: 'Ann' } } },
    },
  });
});
