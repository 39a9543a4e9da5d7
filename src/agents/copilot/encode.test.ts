import { expect, test } from 'vitest';
import { allow, deny } from '../../model/responses.ts';
import copilot from './index.ts';

const decoded = (event: string, payload: object) =>
  copilot.decode({ id: 'c', receivedAt: 1, event, payload, env: {} });
const before = (tool_name: string) =>
  decoded('PreToolUse', { hook_event_name: 'PreToolUse', session_id: 's', tool_name, tool_input: {} });
const requested = (toolName: string) =>
  decoded('PermissionRequest', { hookName: 'permissionRequest', sessionId: 's', toolName, toolInput: {} });
const answer = (...given: Parameters<typeof copilot.encode>) => copilot.encode(...given).answer;
const json = (stdout_json: object) => ({ action: 'json_output', stdout_json });

test('a permission for a tool with an ambiguous server is given where it is clear', () => {
  expect(answer(before('lab-say_hi'), allow(), {})).toEqual(json({ permissionDecision: 'allow' }));
  const unsure = copilot.encode(before('lab-two-say_hi'), allow(), {});
  expect(unsure.answer).toEqual(json({}));
  expect(unsure.degraded.map(({ effect }) => effect)).toEqual(['allow']);
  expect(requested('lab/two-say_hi')).toMatchObject({ tool: { mcp: { server: 'lab', tool: 'two-say_hi' } } });
  expect(answer(requested('lab/two-say_hi'), allow(), {})).toEqual(json({ behavior: 'allow' }));
  // A refusal does not wait.
  expect(answer(before('lab-two-say_hi'), deny('No.'), {})).toMatchObject(
    json({ permissionDecision: 'deny' }),
  );
});

test("a permission for other arguments doesn't apply to these", () => {
  const changed = { ...allow(), modifyArgs: { command: 'ls' } };
  const { answer: given, degraded } = copilot.encode(requested('bash'), changed, {});
  expect(given).toEqual(json({}));
  expect(degraded.map(({ effect }) => effect).sort()).toEqual(['allow', 'rewrite']);
});

test('client-specific fields are texts on the events that read them, and never sent with a denial', () => {
  const prompt = decoded('UserPromptSubmit', {
    hook_event_name: 'UserPromptSubmit',
    session_id: 's',
    prompt: 'p',
  });
  const native = { copilot: { modifiedPrompt: 'q' } };
  expect(answer(prompt, { decision: 'none', native }, {})).toEqual(json({ modifiedPrompt: 'q' }));
  expect(answer(prompt, { ...deny('No.'), native }, {})).toEqual(json({ decision: 'block', reason: 'No.' }));
  expect(answer(before('Bash'), { decision: 'none', native }, {})).toEqual(json({}));
});

test('recognizes payloads for foreign hooks by fields that only it sends', () => {
  const sent = (payload: unknown) => copilot.sends?.(payload);
  expect(sent({ hookName: 'permissionRequest', sessionId: 's' })).toBe(true);
  expect(sent({ tool_name: 'Bash', tool_result: { result_type: 'success' } })).toBe(true);
  for (const other of [null, {}, { tool_result: 'text' }, { hook_event_name: 'PreToolUse', session_id: 's' }])
    expect(sent(other)).toBe(false);
});
