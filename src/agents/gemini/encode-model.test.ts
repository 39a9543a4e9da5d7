import { describe, expect, test } from 'vitest';
import { answersOf } from '../../../test/support/agents/answers.ts';
import { deny, none } from '../../model/responses.ts';
import gemini from './index.ts';

const TOOL = { tool_name: 'run_shell_command', tool_input: { command: 'ls', description: 'List' } };
const config = { temperature: 1, topP: 0.95, topK: 64 };
const REQUEST = { llm_request: { model: 'm', messages: [], config } };

const { encode, said } = answersOf(gemini, { prompt: 'p', ...TOOL, ...REQUEST });

describe('the model', () => {
  const request = (llmRequest: Record<string, unknown>) => encode('BeforeModel', { ...none(), llmRequest });

  test('a changed setting includes the others', () => {
    expect(request({ config: { temperature: 0 } }).answer).toMatchObject({
      stdout_json: {
        hookSpecificOutput: { llm_request: { config: { temperature: 0, topP: 0.95, topK: 64 } } },
      },
    });
  });

  test.each([
    { temperature: 0.7 },
    { config: { temperature: 'low' } },
    { config: { stopSequences: ['x'] } },
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] },
    { messages: [{ role: 'tool', content: 'x' }] },
    { toolConfig: { mode: 'NONE' } },
    { model: '' },
  ])("%j isn't sent, because the client would misread it", (change) => {
    expect(request(change)).toMatchObject({
      answer: { stdout_json: {} },
      degraded: [{ effect: 'llmRequest', reason: expect.stringContaining('llmRequest') }],
    });
  });

  const candidates = [{ content: { role: 'model', parts: ['Hi.'] } }];

  test('a substitute answer comes with a denial, without which it is ignored', () => {
    for (const llmResponse of [{ text: 'Hi.' }, { candidates }]) {
      expect(said('BeforeModel', { ...none(), llmResponse })).toEqual({
        decision: 'deny',
        reason: expect.any(String),
        hookSpecificOutput: { llm_response: { candidates } },
      });
    }
    expect(said('BeforeModel', { ...deny('no'), llmResponse: { text: 'Hi.' } })).toMatchObject({
      reason: 'no',
    });
  });

  test.each([
    {},
    { text: '' },
    { candidates: [] },
    { candidates: [{ content: { parts: [{ text: 'x' }] } }] },
  ])("%j isn't an answer, and the model may still give one", (llmResponse) => {
    expect(said('BeforeModel', { ...none(), llmResponse })).toEqual({});
  });

  test('a replaced chunk keeps its end and its cost', () => {
    const llm_response = {
      text: 'x',
      candidates: [{ content: { role: 'model', parts: ['x'] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { totalTokenCount: 5 },
    };
    const { answer, degraded } = encode(
      'AfterModel',
      { ...none(), llmResponse: { text: 'y' } },
      { llm_response },
    );
    expect(answer).toMatchObject({
      stdout_json: {
        hookSpecificOutput: {
          llm_response: {
            candidates: [{ content: { role: 'model', parts: ['y'] }, finishReason: 'STOP', index: 0 }],
            usageMetadata: { totalTokenCount: 5 },
          },
        },
      },
    });
    expect(degraded).toMatchObject([{ effect: 'llmResponse' }]);
  });

  test.each([
    [
      { allowedFunctionNames: ['Bash', 'glob'] },
      { mode: 'ANY', allowedFunctionNames: ['run_shell_command', 'glob'] },
    ],
    [
      { mode: 'AUTO', allowedFunctionNames: ['Read'] },
      { mode: 'AUTO', allowedFunctionNames: ['read_file'] },
    ],
    [
      { mode: 'NONE', allowedFunctionNames: ['Read'] },
      { mode: 'NONE', allowedFunctionNames: [] },
    ],
  ] as const)('tools %j', (toolConfig, expected) => {
    expect(said('BeforeToolSelection', { ...none(), toolConfig, systemMessage: 'Few tools.' })).toEqual({
      systemMessage: 'Few tools.',
      hookSpecificOutput: { toolConfig: expected },
    });
  });

  test("a message alone doesn't set a choice of tools", () => {
    expect(encode('BeforeToolSelection', { ...none(), systemMessage: 'Hi.' })).toMatchObject({
      answer: { action: 'passthrough' },
      degraded: [{ effect: 'systemMessage' }],
    });
  });
});
