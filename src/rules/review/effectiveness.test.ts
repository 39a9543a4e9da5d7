import { expect, test } from 'vitest';
import { AGENTS } from '../../agents/_registry.ts';
import { parseRules } from '../files/load.ts';
import { effectOn } from './effectiveness.ts';

function effects(yaml: string) {
  const { rules, problems } = parseRules(`rules: [${yaml}]`, 'test.yaml');
  expect(problems).toEqual([]);
  const [rule] = rules;
  if (!rule) throw new Error('no rule');
  return Object.fromEntries([...AGENTS.values()].map((agent) => [agent.id, effectOn(rule, agent)]));
}
const levels = (yaml: string) =>
  Object.fromEntries(Object.entries(effects(yaml)).map(([id, effect]) => [id, effect?.level ?? null]));

test('a denial before a call is enforced everywhere', () => {
  const everywhere = [...AGENTS.keys()].map((id) => [id, 'enforced']);
  expect(levels('{command: rm, deny: no}')).toEqual(Object.fromEntries(everywhere));
});

test('ask sent as a denial stops the call and delivers the reason', () => {
  const { codex, claude } = effects('{command: rm, ask: why}');
  expect(claude?.level).toBe('enforced');
  expect(codex?.level).toBe('enforced');
  expect(effects('{on: before_tool, command: rm, ask: why}').codex?.parts[0]?.why).toContain('denial');
});

test('an allow depends on the client', () => {
  expect(levels('{command: npm test, allow: true}')).toMatchObject({
    claude: 'enforced',
    codex: 'enforced',
    gemini: 'impossible',
    pi: 'advisory',
    qwen: 'enforced',
  });
});

test('context that an event cannot carry is advisory', () => {
  expect(levels('{on: before_tool, context: hello}')).toMatchObject({
    claude: 'enforced',
    codex: 'enforced',
    gemini: 'advisory',
    qwen: 'advisory',
  });
});

test('a denial after the call is advisory', () => {
  expect(levels('{on: after_tool, deny: no}')).toMatchObject({ codex: 'advisory', gemini: 'advisory' });
});

test('an event that an agent lacks is impossible there', () => {
  const { codex } = effects('{on: before_tool_selection, toolConfig: {mode: NONE}}');
  expect(codex).toMatchObject({ level: 'impossible', parts: [{ effect: null }] });
  expect(codex?.parts[0]?.why).toContain('has no before_tool_selection');
});

test('one of several equivalent events is enough', () => {
  expect(levels('{on: turn_end, deny: no}')).toMatchObject({
    claude: 'enforced',
    cline: 'impossible',
    codex: 'enforced',
    gemini: 'enforced',
    qwen: 'enforced',
  });
});

test('names calls that fire no hook if the rule is about them', () => {
  const { codex } = effects('{command: rm, deny: no}');
  expect(codex?.unseen.join()).toContain('write_stdin');
  expect(codex?.unseen.join()).not.toContain('web_search');
  expect(effects('{tool: Write, deny: no}').codex?.unseen).toEqual([]);
  expect(effects('{reads: "**/.env", deny: no}').claude?.unseen.join()).toContain('@');
});

test('a rule only about calls that fire no hook is impossible', () => {
  expect(levels('{tool: WebSearch, deny: no}')).toMatchObject({ claude: 'enforced', codex: 'impossible' });
  expect(levels('{tool: Web*, deny: no}').codex).toBe('enforced');
});

test('a rule for one agent reports nothing for the others', () => {
  const others = [...AGENTS.keys()].map((id) => [id, null]);
  expect(levels('{agent: codex, command: rm, deny: no}')).toEqual({
    ...Object.fromEntries(others),
    codex: 'enforced',
  });
});
