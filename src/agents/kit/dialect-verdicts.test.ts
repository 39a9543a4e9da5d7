import { describe, expect, test } from 'vitest';
import { dialectOwners, recorded } from '../../../test/support/agents/dialects.ts';
import type { HookResponse } from '../../model/responses.ts';
import type { HookRun, Verdict } from './dialect.ts';

const run = (more: Partial<HookRun>): HookRun => ({
  exit: 0,
  stdout: '',
  stderr: '',
  timedOut: false,
  ...more,
});

/** What hooks do before a shell command, and what each client was seen to make of it. */
describe('a hook before a command', () => {
  const verdict = (id: string, more: Partial<HookRun>): Verdict => {
    const owner = dialectOwners.find((agent) => agent.id === id);
    const payload = owner?.toolPayload({
      id: 's',
      tool: 'Bash',
      input: { command: 'ls', description: 'd' },
      cwd: '/p',
    });
    const event = owner?.decode({ id: 'c', receivedAt: 1, event: null, payload, env: {} });
    const presented = event && owner?.dialect.present(event, null);
    if (!event || !owner || !presented) throw new Error('not shown');
    return owner.dialect.interpret(event, presented, run(more));
  };
  const own = (fields: object) => ({
    stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } }),
  });
  const FAILS = 'fails';

  test.each<[string, Partial<HookRun>, Readonly<Record<string, HookResponse | typeof FAILS>>]>([
    [
      'says nothing',
      {},
      {
        claude: { decision: 'none' },
        gemini: { decision: 'none' },
        codex: { decision: 'none' },
        copilot: { decision: 'none' },
      },
    ],
    [
      'ends with 2 and stderr',
      { exit: 2, stderr: 'no\n' },
      {
        claude: { decision: 'deny', reason: 'no' },
        gemini: { decision: 'deny', reason: 'no' },
        codex: { decision: 'deny', reason: 'no' },
        copilot: { decision: 'deny', reason: 'A hook refused: it ended with code 2: no' },
      },
    ],
    [
      'ends with 2 and nothing',
      { exit: 2 },
      { claude: { decision: 'deny', reason: 'Blocked by a hook.' }, gemini: FAILS, codex: FAILS },
    ],
    [
      'ends with 1',
      { exit: 1, stderr: 'oops' },
      {
        claude: FAILS,
        gemini: FAILS,
        codex: FAILS,
        copilot: { decision: 'deny', reason: 'A hook refused: it ended with code 1: oops' },
      },
    ],
    [
      'is not there',
      { exit: 127, stderr: 'not found' },
      { claude: FAILS, gemini: { decision: 'deny', reason: 'not found' }, codex: FAILS },
    ],
    [
      'ends with 1 and JSON',
      { exit: 1, stdout: '{"decision":"block","reason":"no"}' },
      {
        claude: { decision: 'deny', reason: 'no' },
        gemini: { decision: 'deny', reason: 'no' },
        codex: FAILS,
      },
    ],
    [
      'prints JSON to stderr',
      { stderr: '{"decision":"deny","reason":"no"}' },
      {
        claude: { decision: 'none' },
        gemini: { decision: 'deny', reason: 'no' },
        codex: { decision: 'none' },
      },
    ],
    [
      'prints noise before JSON',
      { stdout: 'x\n{"decision":"block","reason":"no"}' },
      {
        claude: { decision: 'none' },
        gemini: { decision: 'none', systemMessage: 'x\n{"decision":"block","reason":"no"}' },
        codex: { decision: 'none' },
      },
    ],
    [
      'decides with a word of another client',
      { stdout: '{"decision":"deny","reason":"no"}' },
      {
        claude: FAILS,
        gemini: { decision: 'deny', reason: 'no' },
        codex: FAILS,
        copilot: { decision: 'none' },
      },
    ],
    [
      'approves',
      { stdout: '{"decision":"approve"}' },
      { claude: { decision: 'allow' }, gemini: { decision: 'none' }, codex: FAILS },
    ],
    [
      'allows',
      own({ permissionDecision: 'allow' }),
      {
        claude: { decision: 'allow' },
        gemini: { decision: 'none' },
        codex: FAILS,
        copilot: { decision: 'allow' },
      },
    ],
    [
      'denies',
      own({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
      {
        claude: { decision: 'deny', reason: 'no' },
        gemini: { decision: 'none' },
        codex: { decision: 'deny', reason: 'no' },
        copilot: { decision: 'deny', reason: 'no' },
      },
    ],
    [
      'asks',
      own({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' }),
      { claude: { decision: 'ask', reason: 'sure?' }, gemini: { decision: 'none' }, codex: FAILS },
    ],
    [
      'names another event',
      { stdout: '{"hookSpecificOutput":{"hookEventName":"Stop","permissionDecision":"deny"}}' },
      { claude: FAILS, gemini: { decision: 'none' }, codex: FAILS },
    ],
    [
      'changes the command',
      own({ permissionDecision: 'allow', updatedInput: { command: 'pwd', description: 'd' } }),
      {
        claude: { decision: 'allow', modifyArgs: { command: 'pwd' } },
        gemini: { decision: 'none' },
        codex: { decision: 'none', modifyArgs: { command: 'pwd' } },
      },
    ],
    [
      'leaves out a part',
      own({ permissionDecision: 'allow', updatedInput: { command: 'pwd' } }),
      {
        claude: { decision: 'allow', modifyArgs: { command: 'pwd' } },
        gemini: { decision: 'none' },
        codex: { decision: 'none', modifyArgs: { command: 'pwd' } },
      },
    ],
    [
      'ends the turn',
      { stdout: '{"continue":false,"stopReason":"enough"}' },
      {
        claude: { decision: 'none', halt: 'enough' },
        gemini: { decision: 'deny', reason: 'enough', halt: 'enough' },
        codex: FAILS,
      },
    ],
    [
      'has an unknown key',
      { stdout: '{"decision":"block","reason":"no","extra":1}' },
      {
        claude: { decision: 'deny', reason: 'no' },
        gemini: { decision: 'deny', reason: 'no' },
        codex: FAILS,
      },
    ],
  ])('%s', (_, does, expected) => {
    for (const [id, wanted] of Object.entries(expected)) {
      const { response, problem } = verdict(id, does);
      if (wanted === FAILS) {
        expect(problem, id).not.toBeNull();
        expect(response, id).toEqual({ decision: 'none' });
      } else {
        expect(response, id).toStrictEqual(wanted);
        expect(problem, id).toBeNull();
      }
    }
  });
});

describe('a hook on stop', () => {
  const verdict = (id: string, native: string, more: Partial<HookRun>) => {
    const fixture = recorded.find(({ agent, event }) => agent.id === id && event.nativeEvent === native);
    const dialect = fixture?.agent.dialect;
    const presented = fixture && dialect?.present(fixture.event, null);
    if (!dialect || !presented) throw new Error('not shown');
    return dialect.interpret(fixture.event, presented, run(more)).response;
  };

  test.each([
    ['claude', 'Stop', '{"decision":"block","reason":"go on"}', { decision: 'deny', reason: 'go on' }],
    [
      'claude',
      'Stop',
      '{"decision":"block","reason":"go on","continue":false,"stopReason":"enough"}',
      { decision: 'none', halt: 'enough' },
    ],
    [
      'claude',
      'Stop',
      '{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"one more"}}',
      { decision: 'deny', reason: 'one more' },
    ],
    ['codex', 'Stop', '{"decision":"block","reason":"go on"}', { decision: 'deny', reason: 'go on' }],
    ['codex', 'Stop', '{"continue":false,"stopReason":"enough"}', { decision: 'none', halt: 'enough' }],
    ['copilot', 'Stop', '{"decision":"block","reason":"go on"}', { decision: 'deny', reason: 'go on' }],
    ['copilot', 'Stop', '{"hookSpecificOutput":{"decision":"block"}}', { decision: 'none' }],
    ['copilot', 'UserPromptSubmit', 'plain text', { decision: 'none' }],
    [
      'copilot',
      'PermissionRequest',
      '{"behavior":"deny","message":"no"}',
      { decision: 'deny', reason: 'no' },
    ],
    ['gemini', 'AfterAgent', '{"decision":"deny","reason":"go on"}', { decision: 'deny', reason: 'go on' }],
    ['claude', 'UserPromptSubmit', 'plain text', { decision: 'none', context: 'plain text' }],
    ['codex', 'UserPromptSubmit', 'plain text', { decision: 'none', context: 'plain text' }],
    ['gemini', 'BeforeAgent', 'plain text', { decision: 'none', systemMessage: 'plain text' }],
    ['claude', 'PermissionRequest', '{"decision":"block","reason":"no"}', { decision: 'none' }],
    [
      'claude',
      'PermissionRequest',
      '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no","interrupt":true}}}',
      { decision: 'deny', reason: 'no', halt: 'no' },
    ],
  ])('%s %s %s', (id, native, stdout, expected) => {
    expect(verdict(id, native, { stdout })).toEqual(expected);
  });

  test("a missing script doesn't keep the agent working", () => {
    expect(verdict('claude', 'Stop', { exit: 2, stderr: "python: can't open file 'x.py'" })).toEqual({
      decision: 'none',
    });
  });
});
