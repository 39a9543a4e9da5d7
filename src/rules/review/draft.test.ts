import { expect, test } from 'vitest';
import { parseRules } from '../files/load.ts';
import { checkDraft, ruleText, withRuleText } from './draft.ts';

const FILE = `# Mine.
rules:
  # No force.
  - id: force
    command: git push --force
    deny: No.
    tests:
      match: [git push --force]
  - { id: pad, command: npm install left-pad, ask: Why? } # Really.
`;

test('extracts a rule from its file as a separate text', () => {
  expect(ruleText(FILE, '/r/a.yaml', 'force')).toBe(
    'id: force\ncommand: git push --force\ndeny: No.\ntests:\n  match: [git push --force]\n',
  );
  expect(ruleText(FILE, '/r/a.yaml', 'pad')).toBe('id: pad\ncommand: npm install left-pad\nask: Why?\n');
  expect(ruleText(FILE, '/r/a.yaml', 'none')).toBeNull();
  expect(ruleText('rules:\n  - { deny: No., command: x }\n', '/r/a.yaml', 'a.yaml#1')).toContain(
    'command: x',
  );
});

test('saving one rule keeps the others and the comments', () => {
  const changed = withRuleText(FILE, '/r/a.yaml', 'pad', 'id: pad\ncommand: npm install\nask: Why?\n');
  if ('problem' in changed) throw new Error(changed.problem);
  expect(changed.text).toContain('# Mine.');
  expect(changed.text).toContain('# No force.');
  const { rules, problems } = parseRules(changed.text, '/r/a.yaml');
  expect(problems).toEqual([]);
  expect(rules.map(({ id }) => id)).toEqual(['force', 'pad']);
  expect(ruleText(changed.text, '/r/a.yaml', 'force')).toBe(ruleText(FILE, '/r/a.yaml', 'force'));
});

test('appends a new rule, also to a file that does not exist yet', () => {
  const draft = 'id: new\ncommand: make\nask: Why?\n';
  for (const before of [null, '', FILE]) {
    const changed = withRuleText(before, '/r/a.yaml', null, draft);
    if ('problem' in changed) throw new Error(changed.problem);
    expect(parseRules(changed.text, '/r/a.yaml').rules.at(-1)?.id).toBe('new');
  }
});

test.each([
  ['rules: [', null, 'id: x\n'],
  [FILE, 'none', 'id: x\n'],
  [FILE, 'pad', 'id: [x\n'],
])('explains what cannot be changed', (text, id, draft) => {
  expect(withRuleText(text, '/r/a.yaml', id, draft)).toHaveProperty('problem');
});

test('reports mistakes of a draft by line', () => {
  const checked = checkDraft('id: x\ncomand: make\ndeny: No.\n', '/r/a.yaml');
  expect(checked.rule).toBeNull();
  expect(checked.problems).toEqual([{ line: 2, message: expect.stringContaining('did you mean command?') }]);
  expect(checkDraft('id: x\ncommand: [make\ndeny: No.\n', '/r/a.yaml').problems[0]?.line).toBeGreaterThan(1);
  expect(checkDraft('', '/r/a.yaml').problems).toHaveLength(1);
  expect(checkDraft('id: x\n', '/r/a.yaml').problems[0]?.message).toContain('has no action');
});

test('runs the examples of a draft', () => {
  const draft = 'id: x\ncommand: make\ndeny: No.\ntests:\n  match: [make, ls]\n  pass: [cmake]\n';
  expect(checkDraft(draft, '/r/a.yaml').examples).toEqual({ total: 3, failed: ['should match: ls'] });
});
