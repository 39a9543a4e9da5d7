import { expect, test } from 'vitest';
import { denyExamples } from './deny-examples.ts';

const FILE = `
rules:
  - id: no-force
    command: [git push --force, "npm *publish*"]
    deny: No.
    tests: { match: ["git push -f", {command: git push --force-if-includes}, {path: .env}] }
  - command: curl
    ask: Look first.
  - tool: Write
    writes: "**/.env"
    deny: Secrets are mine.
  - command: rm {-r,-R} ?
    deny: No.
  - command: ls
    deny: Later.
    mode: observe
  - command: [1]
    deny: Not a rule.
`;

test('deny rules, with their own examples first and then those derived from patterns', () => {
  expect(denyExamples(FILE, '/home/dev/.hookline/rules/mine.yaml')).toEqual([
    {
      id: 'no-force',
      commands: ['git push -f', 'git push --force-if-includes', 'git push --force', 'npm xpublishx'],
    },
    { id: 'mine.yaml#3', commands: [] },
    { id: 'mine.yaml#4', commands: ['rm -r x'] },
  ]);
});

test.each(['', 'rules:', 'rules: 1', '- nothing', `mode: observe\n${FILE}`, 'rules: [\n'])(
  'a file without active rules has none: %j',
  (text) => {
    expect(denyExamples(text, 'mine.yaml')).toEqual([]);
  },
);
