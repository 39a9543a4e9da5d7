import { expect, test } from 'vitest';
import { session, shellCall } from '../../test/support/rules/rules.ts';
import { merge } from '../model/merge.ts';
import { type HookResponse, none, reasonShown } from '../model/responses.ts';
import { LONGEST_REASON } from './reason.ts';

const ASKS = `
rules:
  - { id: a, command: ls, ask: It lists., next: Use find. }
  - { id: b, command: ls, ask: It lists again., next: Do not. }
  - { id: c, command: ls, notify: Seen. }
`;

function decided(yaml: string, command = 'ls'): HookResponse {
  return session(yaml)(shellCall(command))
    .map(({ response }) => response)
    .reduce(merge, none());
}

test('the first of several rules gives the reason, the others are named', () => {
  const { reason } = decided(ASKS);
  expect(reason).toBe('It lists. Use find. (Hookline rule a requires approval) Also: b.');
});

test('a person who is asked sees the reason, without text for the model', () => {
  const response = decided(ASKS);
  expect(reasonShown(response)).toBe('It lists.\nIt lists again.');
  expect(reasonShown({ ...response, decision: 'deny' })).toBe(response.reason);
});

test('deny reasons come before ask reasons', () => {
  const { reason } = decided(
    'rules: [{ id: a, command: ls, ask: Why? }, { id: b, command: ls, deny: No., next: Rest. }]',
  );
  expect(reason).toBe('No. Rest. (Denied by Hookline rule b)');
});

test('an ask without a next step gets a default one', () => {
  expect(decided('rules: [{ id: a, command: ls, ask: It lists. }]').reason).toMatch(
    /^It lists\. .*Tell the user what you need/,
  );
});

test('a reason stays short enough for a model to act on, with any number of rules', () => {
  const many = Array.from({ length: 60 }, (_, at) => `{ id: rule-number-${at}, command: ls, deny: No. }`);
  const { reason = '' } = decided(`rules: [${many.join(', ')}]`, `ls ${'x'.repeat(3_000)}`);
  expect(reason.length).toBeLessThanOrEqual(LONGEST_REASON);
  expect(reason).toMatch(/^No\. Don't work around this\. .* Also: rule-number-1, .*…$/);
});

test('text written by a person is not shortened', () => {
  const words = 'because '.repeat(100).trim();
  expect(decided(`rules: [{ id: a, command: ls, deny: ${words}. }]`).reason).toContain(words);
});

test.each([
  ['$CMD /etc/passwd', 'effects: run unknown', 'Why? Not understood: the command name $CMD is not known.'],
  ["git push 'x", 'coverage: failed', 'Why? Not understood: unterminated single quote.'],
  ['ls; if then fi)', 'coverage: failed', "Why? Not understood: expected command after 'if'."],
  [
    `$${'x'.repeat(500)} y`,
    'effects: run unknown',
    `Why? Not understood: the command name $${'x'.repeat(20)}`,
  ],
])('a rule about unknown code quotes it in one sentence: %s', (command, condition, reason) => {
  const { reason: said = '', explanation = '' } = decided(`rules: [{ ${condition}, ask: Why? }]`, command);
  expect(said).toContain(reason);
  expect(explanation).toContain(reason);
  expect(explanation.length).toBeLessThan(200);
});
