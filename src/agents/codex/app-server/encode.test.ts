import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandApproval, THREAD } from '../../../../test/support/agents/codex/app-server.ts';
import { allow, ask, deny, type Grant, type HookResponse, halt, none } from '../../../model/responses.ts';
import { decodeMessage } from './decode.ts';
import { encodeApproval } from './encode.ts';
import { APPROVALS } from './wire.ts';

function event(message: object) {
  const payload = { thread: THREAD, ...message };
  return decodeMessage({ id: 'one', receivedAt: 1, event: null, env: {}, payload });
}

const asked = { threadId: THREAD.id, turnId: 'turn-1', itemId: 'call_1' };
const patchItem = {
  type: 'fileChange',
  id: 'call_1',
  changes: [{ path: '/home/dev/shop/a.txt', kind: { type: 'add' }, diff: 'hello\n' }],
  status: 'inProgress',
};
const QUESTIONS = {
  command: event(commandApproval(0, 'npm test')),
  fileChange: event({ method: APPROVALS.fileChange, params: asked, item: patchItem }),
  permissions: event({
    method: APPROVALS.permissions,
    params: { ...asked, permissions: { network: { enabled: true }, fileSystem: null } },
  }),
  userInput: event({
    method: APPROVALS.userInput,
    params: { ...asked, questions: [{ id: 'q1', question: 'Which?' }] },
  }),
  mcpTool: event({
    method: APPROVALS.elicitation,
    params: {
      threadId: THREAD.id,
      serverName: 'echo',
      _meta: { codex_approval_kind: 'mcp_tool_call', tool_params: { text: 'hi' } },
    },
    item: { type: 'mcpToolCall', id: 'call_1', server: 'echo', tool: 'say', arguments: { text: 'hi' } },
  }),
  form: event({
    method: APPROVALS.elicitation,
    params: { threadId: THREAD.id, serverName: 'echo', mode: 'form' },
  }),
};
type Question = keyof typeof QUESTIONS;

function result(question: Question, response: HookResponse): unknown {
  const { answer } = encodeApproval(QUESTIONS[question], response);
  return answer.action === 'json_output' ? answer.stdout_json : answer.action;
}
const lost = (question: Question, response: HookResponse) =>
  encodeApproval(QUESTIONS[question], response).degraded.map(({ effect }) => effect);
const grant = (more: Partial<Grant> = {}): readonly Grant[] => [
  { behavior: 'allow', tool: 'Bash', pattern: 'npm test:*', scope: 'session', ...more },
];

const declined = { action: 'decline', content: null, _meta: null };
const cancelled = { action: 'cancel', content: null, _meta: null };
const noPermissions = { permissions: {}, scope: 'turn' };

describe('the answer', () => {
  test.each<[Question, HookResponse, unknown]>([
    ['command', allow(), { decision: 'accept' }],
    ['command', deny('no'), { decision: 'decline' }],
    ['command', { ...deny('no'), halt: 'stop' }, { decision: 'cancel' }],
    ['command', halt('stop'), { decision: 'cancel' }],
    ['command', { ...allow(), halt: 'stop' }, { decision: 'cancel' }],
    ['command', none(), 'passthrough'],
    ['command', ask('sure?'), 'passthrough'],
    ['fileChange', allow(), { decision: 'accept' }],
    ['fileChange', deny('no'), { decision: 'decline' }],
    ['permissions', allow(), { permissions: { network: { enabled: true } }, scope: 'turn' }],
    ['permissions', deny('no'), noPermissions],
    ['permissions', halt('stop'), noPermissions],
    ['userInput', allow(), 'passthrough'],
    [
      'userInput',
      { ...allow(), modifyArgs: { answers: { q1: 'A' } } },
      { answers: { q1: { answers: ['A'] } } },
    ],
    ['userInput', { ...allow(), modifyArgs: { answers: { other: 'A' } } }, 'passthrough'],
    ['userInput', deny('no'), { answers: {} }],
    ['mcpTool', allow(), { action: 'accept', content: {}, _meta: null }],
    ['mcpTool', deny('no'), declined],
    ['mcpTool', { ...deny('no'), halt: 'stop' }, cancelled],
    ['form', allow(), 'passthrough'],
    ['form', deny('no'), declined],
  ])('to %s with %o is %o', (question, response, expected) => {
    expect(result(question, response)).toEqual(expected);
  });

  test('is omitted if the call was rewritten, because Codex would run the original', () => {
    const response = { ...allow(), modifyArgs: { command: 'npm test --dry' } };
    expect(result('command', response)).toBe('passthrough');
    expect(lost('command', response)).toEqual(['allow', 'rewrite']);
  });

  test('is omitted for a patch with unknown files', () => {
    const blind = event({ method: APPROVALS.fileChange, params: asked });
    expect(encodeApproval(blind, allow()).answer).toEqual({ action: 'passthrough' });
  });

  test('denies an unreadable permission request if the failure mode is closed', () => {
    const unreadable = {
      ...QUESTIONS.command,
      type: 'unknown' as const,
      problem: 'odd',
      native: { method: APPROVALS.command },
    };
    expect(encodeApproval(unreadable, deny('closed')).answer).toMatchObject({
      stdout_json: { decision: 'decline' },
    });
    expect(encodeApproval(unreadable, allow()).answer).toEqual({ action: 'passthrough' });
  });

  test('is never sent for notifications', () => {
    const notified = event({ method: 'item/started', params: { threadId: THREAD.id, item: patchItem } });
    const { answer, degraded } = encodeApproval(notified, deny('no'));
    expect(answer).toEqual({ action: 'passthrough' });
    expect(degraded).toEqual([{ effect: 'deny', reason: expect.stringContaining('item/started') }]);
  });
});

describe('what is remembered', () => {
  test.each<[string, Question, readonly Grant[], unknown, boolean]>([
    ['this very command', 'command', grant({ pattern: 'npm test' }), { decision: 'acceptForSession' }, true],
    [
      'a pattern, of which the session keeps less',
      'command',
      grant(),
      { decision: 'acceptForSession' },
      false,
    ],
    [
      'a pattern permanently',
      'command',
      grant({ scope: 'user' }),
      { decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['npm', 'test'] } } },
      true,
    ],
    [
      'nothing permanently that is for one project: the rules of Codex hold for all',
      'command',
      grant({ scope: 'project' }),
      { decision: 'acceptForSession' },
      false,
    ],
    [
      'no permanent prefix out of an exact command',
      'command',
      grant({ scope: 'user', pattern: 'npm test' }),
      { decision: 'acceptForSession' },
      false,
    ],
    ['nothing of another command', 'command', grant({ pattern: 'npm run:*' }), { decision: 'accept' }, false],
    ['nothing of another tool', 'command', grant({ tool: 'Edit' }), { decision: 'accept' }, false],
    ['no denial', 'command', grant({ behavior: 'deny' }), { decision: 'accept' }, false],
    ['no glob', 'command', grant({ scope: 'user', pattern: 'npm *:*' }), { decision: 'accept' }, false],
    [
      'files of a patch',
      'fileChange',
      grant({ tool: 'Edit', pattern: null }),
      { decision: 'acceptForSession' },
      true,
    ],
    [
      'an MCP tool permanently',
      'mcpTool',
      grant({ tool: 'mcp__echo__say', pattern: null, scope: 'user' }),
      { action: 'accept', content: {}, _meta: { persist: 'always' } },
      true,
    ],
  ])('%s', (_, question, grants, expected, whole) => {
    const response = { ...allow(), grants };
    expect(result(question, response)).toEqual(expected);
    expect(lost(question, response)).toEqual(whole ? [] : ['grants']);
  });
});

const anyGrant: fc.Arbitrary<Grant> = fc.record({
  behavior: fc.constantFrom('allow', 'deny', 'ask'),
  tool: fc.constantFrom('Bash', 'Edit', 'mcp__echo__say', 'request_permissions'),
  pattern: fc.option(fc.constantFrom('npm test:*', 'npm test', ':*', '*', '')),
  scope: fc.constantFrom('session', 'project', 'user'),
});
const anyResponse: fc.Arbitrary<HookResponse> = fc.record(
  {
    decision: fc.constantFrom('none', 'allow', 'deny', 'ask'),
    reason: fc.string(),
    context: fc.string(),
    halt: fc.string(),
    modifyArgs: fc.constantFrom<Record<string, unknown>>({}, { command: 'x' }, { answers: { q1: 'A' } }),
    grants: fc.array(anyGrant, { maxLength: 3 }),
    native: fc.constant({ codex: { decision: 'accept', action: 'accept' } }),
  },
  { requiredKeys: ['decision'] },
);

test("only an allow that doesn't end the turn accepts", () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(QUESTIONS)), anyResponse, (name, response) => {
      const question = QUESTIONS[name as Question];
      const { answer } = encodeApproval(question, response);
      const text = JSON.stringify(answer);
      const accepts = /accept|"network":|"answers":\{"q1"/.test(text);
      if (accepts) expect([response.decision, response.halt]).toEqual(['allow', undefined]);
      if (response.decision === 'deny')
        expect(text).toMatch(/decline|cancel|"permissions":\{\}|"answers":\{\}/);
    }),
  );
});

test('every effect is either delivered or recorded', () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(QUESTIONS)), anyResponse, (name, response) => {
      const { answer, degraded } = encodeApproval(QUESTIONS[name as Question], response);
      const silent = answer.action === 'passthrough';
      if (silent && response.decision === 'allow')
        expect(degraded.map(({ effect }) => effect)).toContain('allow');
      if (response.context) expect(degraded.map(({ effect }) => effect)).toContain('context');
    }),
  );
});
