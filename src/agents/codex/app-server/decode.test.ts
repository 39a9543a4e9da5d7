import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createFakeHub, THREAD } from '../../../../test/support/agents/codex/app-server.ts';
import type { HookEvent } from '../../../model/events.ts';
import { decodeMessage } from './decode.ts';
import { createObserver } from './observer.ts';
import { readEnvelope } from './peer.ts';

/** What the server said in a captured log, put through the observer. */
async function replay(name: string): Promise<readonly HookEvent[]> {
  const hub = createFakeHub();
  const observer = createObserver({
    ...hub.parts,
    ask: () => Promise.reject(new Error('unexpected request')),
  });
  const lines = readFileSync(new URL(`fixtures/${name}.txt`, import.meta.url), 'utf8').split('\n');
  for (const line of lines.filter((one) => one.startsWith('S>C '))) {
    const message = readEnvelope(line.slice('S>C '.length));
    if (message?.method === undefined) continue;
    const { id, method, params } = message;
    if (id === undefined) observer.notification(method, params);
    else await observer.decide({ id, method, params });
  }
  await observer.settled();
  expect(hub.problems).toEqual([]);
  return hub.calls.map(decodeMessage);
}

/** An event without what is the same in all, and without the payload. */
function withoutIds({ native, machineId, userId, projectId, workflowId, ...event }: HookEvent): unknown {
  expect(native).toBeDefined();
  expect([machineId, userId, projectId, workflowId]).toEqual([null, null, null, null]);
  return event;
}

describe('the captured sessions of 0.166.0', () => {
  test.each(['turn', 'approvals'])('%s.txt means these events', async (name) => {
    const events = await replay(name);
    const text = events.map((event) => `${JSON.stringify(withoutIds(event), null, 2)}\n`).join('');
    await expect(text).toMatchFileSnapshot(`fixtures/${name}.events.snap`);
  });

  test('a turn has its prompt, its call and its end, each once', async () => {
    expect((await replay('turn')).map(({ type }) => type)).toEqual([
      'session_start',
      'notification',
      'before_agent',
      'before_tool',
      'after_tool',
      'after_model',
      'after_model',
      'after_agent',
    ]);
  });

  test('the approval of a patch has the files that only its item names', async () => {
    const asked = (await replay('approvals')).filter((event) => event.type === 'permission_request');
    expect(asked.map(({ tool }) => [tool.name, tool.command, tool.files])).toEqual([
      ['Bash', 'touch /home/dev/shop', []],
      ['Edit', null, [{ op: 'create', path: '/home/dev/shop/tr.txt' }]],
    ]);
  });
});

const decode = (method: string, params: unknown, more: object = {}) =>
  decodeMessage({
    id: 'one',
    receivedAt: 1,
    event: method,
    env: {},
    payload: { method, params, thread: THREAD, ...more },
  });
const inThread = { threadId: THREAD.id, turnId: 'turn-1', itemId: 'call_1' };
const commandAsked = 'item/commandExecution/requestApproval';

describe('one message', () => {
  test("reaching a host isn't the command that needs it", () => {
    const event = decode(commandAsked, {
      ...inThread,
      command: "/bin/bash -lc 'npm test'",
      networkApprovalContext: { host: 'example.com', protocol: 'https' },
    });
    expect(event).toMatchObject({
      type: 'permission_request',
      tool: { name: 'network_access', kind: 'network', command: null },
    });
  });

  test("typing into a running program isn't the command that started it", () => {
    const event = decode(commandAsked, {
      ...inThread,
      kind: 'writeStdin',
      command: "/bin/bash -lc 'npm test'",
    });
    expect(event).toMatchObject({ type: 'permission_request', tool: { name: 'write_stdin', command: null } });
  });

  test('names the approval of an MCP tool by its item', () => {
    const params = {
      threadId: THREAD.id,
      turnId: 'turn-1',
      serverName: 'echo',
      mode: 'form',
      _meta: { codex_approval_kind: 'mcp_tool_call', tool_params: { text: 'hi' } },
      message: 'Allow the echo MCP server to run tool "say"?',
    };
    const item = {
      type: 'mcpToolCall',
      id: 'call_4',
      server: 'echo',
      tool: 'say',
      arguments: { text: 'hi' },
    };
    expect(decode('mcpServer/elicitation/request', params, { item })).toMatchObject({
      type: 'permission_request',
      tool: {
        name: 'mcp__echo__say',
        useId: 'call_4',
        input: { text: 'hi' },
        mcp: { server: 'echo', tool: 'say' },
      },
    });
  });

  test('a form of an MCP server is an elicitation', () => {
    const params = { threadId: THREAD.id, serverName: 'echo', mode: 'url', message: 'Log in.' };
    expect(decode('mcpServer/elicitation/request', params)).toMatchObject({
      type: 'elicitation',
      server: 'echo',
      mode: 'url',
    });
  });

  test('recognizes a subagent by the session of its root', () => {
    const child = { ...THREAD, id: 'child', parentThreadId: THREAD.id, agentRole: 'explorer' };
    expect(decode('thread/started', { thread: child }, { thread: child })).toMatchObject({
      type: 'subagent_start',
      subagentId: 'child',
      subagentType: 'explorer',
      sessionId: THREAD.id,
      agentId: 'child',
    });
  });

  test.each([
    ['thread/archived', 'archived'],
    ['thread/archive', 'archived'],
    ['thread/closed', 'closed'],
    ['thread/deleted', 'deleted'],
  ])('%s ends the session', (method, reason) => {
    expect(decode(method, { threadId: THREAD.id })).toMatchObject({ type: 'session_end', reason });
  });

  test.each([
    ['interrupted', 'interrupt'],
    ['failed', 'stop_failure'],
    ['completed', 'after_agent'],
  ])('a turn that is %s', (status, type) => {
    expect(decode('turn/completed', { threadId: THREAD.id, turn: { id: 't', status } }).type).toBe(type);
  });

  test("a command that the user typed is not recorded as the agent's call", () => {
    const item = { type: 'commandExecution', id: 'x', command: 'ls', source: 'userShell' };
    expect(decode('item/started', { threadId: THREAD.id, item }).type).toBe('unknown');
  });

  test('an unknown method is an event of unknown type', () => {
    expect(decode('thread/somethingNew', { threadId: THREAD.id })).toMatchObject({
      type: 'unknown',
      problem: null,
    });
  });

  test('a question without its ID is a question', () => {
    expect(decode(commandAsked, { threadId: THREAD.id, command: 'ls' })).toMatchObject({
      type: 'permission_request',
      tool: { command: 'ls', useId: null },
    });
  });

  test("the error about an unreadable question doesn't quote it", () => {
    const bad = () => decode('item/tool/requestUserInput', { ...inThread, questions: 'secret' });
    expect(bad).toThrow(/questions/);
    expect(bad).not.toThrow(/secret/);
  });
});
