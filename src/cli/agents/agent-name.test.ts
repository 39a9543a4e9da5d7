import { expect, test } from 'vitest';
import { AGENTS } from '../../agents/_registry.ts';
import { agentCalled, unknownAgent } from './agent-name.ts';

test.each([...AGENTS.values()])('$id is found by its name and its label, in any case', ({ id, label }) => {
  for (const name of [id, label, label.toUpperCase(), label.replaceAll(' ', '-')])
    expect(agentCalled(name)?.id, name).toBe(id);
});

test('another name is that of no agent, and a slip of the keys gets an answer', () => {
  expect(agentCalled('claud')).toBeUndefined();
  expect(agentCalled('')).toBeUndefined();
  expect(unknownAgent('Claud Code').hint).toMatch(/^Did you mean claude\? Supported agents: /);
  expect(unknownAgent('gemni').hint).toMatch(/^Did you mean gemini\?/);
  expect(unknownAgent('emacs').hint).toMatch(/^Supported agents: /);
});
