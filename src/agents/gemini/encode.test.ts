import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answersOf } from '../../../test/support/agents/answers.ts';
import { anyResponse } from '../../../test/support/agents/properties.ts';
import type { EventOf } from '../../model/events.ts';
import { ask, context, deny, type HookResponse, halt, none, rewrite } from '../../model/responses.ts';
import { payloads } from './decode.ts';
import gemini from './index.ts';

const TOOL = { tool_name: 'run_shell_command', tool_input: { command: 'ls', description: 'List' } };
const config = { temperature: 1, topP: 0.95, topK: 64 };
const REQUEST = { llm_request: { model: 'm', messages: [], config } };

const { event, encode, said } = answersOf(gemini, { prompt: 'p', ...TOOL, ...REQUEST });

describe('the facts that break a naive adapter', () => {
  test('every answer is one JSON object, except where an empty one would choose tools', () => {
    for (const name of payloads.names) {
      expect(encode(name, none()).answer).toEqual(
        name === 'BeforeToolSelection'
          ? { action: 'passthrough' }
          : { action: 'json_output', stdout_json: {} },
      );
    }
  });

  test('never uses an exit code', () => {
    fc.assert(
      fc.property(fc.constantFrom(...payloads.names), anyResponse, (name, response) => {
        expect(encode(name, response).answer.action).not.toBe('block_with_stderr');
      }),
    );
  });

  test('a dispatcher script that exits with 2 unless the decision is allow does so only for denials', () => {
    fc.assert(
      fc.property(fc.constantFrom(...payloads.names), anyResponse, (name, response) => {
        const { answer } = encode(name, response);
        const decision = answer.action === 'json_output' ? (answer.stdout_json.decision ?? 'allow') : 'allow';
        const { llmResponse, replaceOutput } = response;
        const refuses =
          ['deny', 'ask'].includes(response.decision) || llmResponse || replaceOutput !== undefined;
        if (!refuses) expect(decision).toBe('allow');
      }),
    );
  });

  test('a denial ends the turn only if the response does', () => {
    expect(said('BeforeTool', deny('no'))).toEqual({ decision: 'deny', reason: 'no' });
    expect(said('BeforeTool', { ...deny('no'), halt: 'enough' })).toEqual({
      decision: 'deny',
      reason: 'no',
      continue: false,
      stopReason: 'enough',
    });
    expect(said('BeforeTool', halt('enough'))).toEqual({ continue: false, stopReason: 'enough' });
  });

  test('a rewrite has all arguments, because the client replaces them', () => {
    expect(said('BeforeTool', rewrite({ command: 'pwd' }))).toEqual({
      hookSpecificOutput: { tool_input: { command: 'pwd', description: 'List' } },
    });
    const refused = encode('BeforeTool', { ...ask('sure?'), modifyArgs: { command: 'pwd' } });
    expect(refused.degraded.map(({ effect }) => effect).sort()).toEqual(['ask', 'rewrite']);
    expect(refused.answer).toEqual({
      action: 'json_output',
      stdout_json: { decision: 'deny', reason: 'sure?' },
    });
  });

  test('a question is a denial unless a person is known to be present', () => {
    expect(encode('BeforeTool', ask('sure?'))).toMatchObject({
      answer: { stdout_json: { decision: 'deny', reason: 'sure?' } },
      degraded: [{ effect: 'ask', reason: expect.stringContaining('HOOKLINE_ATTENDED') }],
    });
    expect(encode('BeforeTool', ask('sure?'), {}, { HOOKLINE_ATTENDED: '1' })).toEqual({
      answer: { action: 'json_output', stdout_json: { decision: 'ask', systemMessage: 'sure?' } },
      degraded: [],
      appends: [],
    });
    // Only tool calls can be approved.
    for (const name of ['BeforeAgent', 'BeforeModel', 'AfterAgent', 'AfterTool']) {
      expect(said(name, ask('sure?'), {}, { HOOKLINE_ATTENDED: '1' })).toMatchObject({ decision: 'deny' });
    }
  });

  test('a turn that should end ends, even if something else would continue it', () => {
    expect(encode('AfterAgent', { ...deny('tests fail'), halt: 'enough' })).toMatchObject({
      answer: { stdout_json: { continue: false, stopReason: 'enough' } },
      degraded: [{ effect: 'deny' }],
    });
  });
});

describe('context', () => {
  test.each([
    ['SessionStart', { source: 'startup' }],
    ['SessionStart', { source: 'resume' }],
    ['BeforeAgent', {}],
    ['AfterTool', {}],
  ])('%s %j carries it', (name, more) => {
    expect(said(name, context('know'), more)).toEqual({ hookSpecificOutput: { additionalContext: 'know' } });
    expect(encode(name, context('know'), more).degraded).toEqual([]);
  });

  test.each([
    ['SessionStart', { source: 'clear' }],
    ['BeforeTool', {}],
    ['BeforeModel', {}],
    ['AfterAgent', {}],
    ['PreCompress', {}],
    ['Notification', {}],
    ['SessionEnd', {}],
  ])('%s %j keeps it pending', (name, more) => {
    expect(encode(name, context('know'), more)).toMatchObject({
      answer: { stdout_json: {} },
      degraded: [{ effect: 'context' }],
    });
  });

  test('is sent in a denial that the model reads, and stays pending without a model call', () => {
    const both = { ...deny('no'), context: 'know' };
    for (const name of ['BeforeTool', 'AfterTool', 'AfterAgent']) {
      expect(said(name, both)).toEqual({ decision: 'deny', reason: 'no\n\nknow' });
    }
    expect(encode('BeforeAgent', both).degraded).toMatchObject([{ effect: 'context' }]);
    expect(encode('AfterTool', { ...halt('enough'), context: 'know' }).degraded).toMatchObject([
      { effect: 'context' },
    ]);
  });
});

describe('fields specific to this client', () => {
  const native = (fields: Record<string, unknown>, response = none()): HookResponse => ({
    ...response,
    native: { gemini: fields },
  });
  const tail = { tailToolCallRequest: { name: 'read_file', args: { file_path: 'a' } } };

  test('are sent where they are read', () => {
    expect(said('AfterTool', native(tail))).toEqual({ hookSpecificOutput: tail });
    for (const response of [deny('again'), halt('enough')]) {
      expect(said('AfterAgent', native({ clearContext: true }, response))).toMatchObject({
        hookSpecificOutput: { clearContext: true },
      });
    }
  });

  test.each([
    ['AfterAgent', native({ clearContext: true })],
    ['AfterAgent', native({ clearContext: 'yes' }, deny('again'))],
    ['BeforeTool', native(tail)],
    ['AfterTool', native(tail, deny('no'))],
    ['AfterTool', native({ tailToolCallRequest: { name: 'x' } })],
    ['BeforeTool', native({ decision: 'allow', tool_input: {} })],
  ])('are left out elsewhere, which is recorded: %s %j', (name, response) => {
    const { answer, degraded } = encode(name, response);
    expect(degraded).toContainEqual(expect.objectContaining({ effect: 'native' }));
    expect(answer).toEqual(encode(name, { ...response, native: {} }).answer);
  });
});

describe('an unreadable payload', () => {
  const unreadable = (name: string, native: unknown, problem: string | null = 'bad'): EventOf<'unknown'> => ({
    ...event('FutureEvent'),
    type: 'unknown',
    nativeEvent: name,
    native,
    problem,
  });

  test.each([
    ['BeforeTool', {}],
    ['', { hook_event_name: 'BeforeTool' }],
    ['BeforeAgent', null],
    ['BeforeModel', 'x'],
  ])('is denied on %j %j in failure mode closed', (name, native) => {
    expect(gemini.encode(unreadable(name, native), deny('no'), {})).toMatchObject({
      answer: { stdout_json: { decision: 'deny', reason: 'no' } },
      degraded: [],
    });
  });

  test.each(['AfterAgent', 'AfterTool', 'SessionStart', 'FutureEvent', 'constructor', ''])(
    'passes on %j',
    (name) => {
      expect(gemini.encode(unreadable(name, {}), deny('no'), {})).toMatchObject({
        answer: { action: 'passthrough' },
        degraded: [{ effect: 'deny' }],
      });
    },
  );
});

test("replaces a result with an error that says so, and the original doesn't reach the model", () => {
  expect(encode('AfterTool', { ...none(), replaceOutput: { key: '***' } })).toMatchObject({
    answer: { stdout_json: { decision: 'deny', reason: '{"key":"***"}' } },
    degraded: [{ effect: 'replaceOutput' }],
  });
});

test('only leads to a question, never to a permission', () => {
  fc.assert(
    fc.property(fc.constantFrom(...payloads.names), anyResponse, (name, response) => {
      const { answer } = encode(name, response);
      if (answer.action !== 'json_output') return;
      expect([undefined, 'deny']).toContain(answer.stdout_json.decision);
      if (name === 'BeforeTool' && response.decision === 'deny')
        expect(answer.stdout_json.decision).toBe('deny');
    }),
    { numRuns: 1_000 },
  );
});

describe('client actions, and hidden answers', () => {
  test('the context is cleared where the turn ends or its end is denied', () => {
    const cleared = { hookSpecificOutput: { clearContext: true } };
    for (const response of [deny('again'), halt('enough')])
      expect(encode('AfterAgent', { ...response, triggerAction: 'clear' })).toMatchObject({
        answer: { stdout_json: cleared },
        degraded: [],
      });
  });

  test.each([
    ['AfterAgent', { ...none(), triggerAction: 'clear' }],
    ['BeforeTool', { ...deny('no'), triggerAction: 'clear' }],
    ['AfterAgent', { ...deny('again'), triggerAction: 'restart' }],
  ])("records what %s can't do: %j", (name, response) => {
    expect(encode(name, response).degraded).toEqual([
      { effect: 'triggerAction', reason: expect.stringMatching(/clear|restart/) },
    ]);
  });

  test('an answer is hidden, and an empty one needs no hiding', () => {
    expect(said('BeforeTool', { ...deny('no'), suppressOutput: true })).toMatchObject({
      suppressOutput: true,
    });
    const silent = encode('BeforeTool', { ...none(), suppressOutput: true });
    expect(silent).toMatchObject({ answer: { stdout_json: {} }, degraded: [] });
  });
});
