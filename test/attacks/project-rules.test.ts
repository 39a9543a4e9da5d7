import { describe, expect, test } from 'vitest';
import { judged } from './judged.ts';

// An agent removes the person's rules for this project: it deletes, empties, locks or replaces them. Proposing a change
// is different: that needs approval.

const TAKEN_AWAY = [
  'rm -rf .hookline',
  'rm -r .h*',
  'git rm -r .hookline',
  'find .hookline -delete',
  "find .hookline -name '*.yaml' -exec rm {} +",
  'for f in .hookline/rules/*; do rm "$f"; done',
  'mv .hookline /tmp',
  ': > .hookline/rules/a.yaml',
  '> .hookline/rules/a.yaml',
  'truncate -s 0 .hookline/rules/a.yaml',
  'cp /dev/null .hookline/rules/a.yaml',
  'chmod 000 .hookline',
  'mount --bind /tmp/x .hookline',
  'cd .hookline/rules && rm a.yaml',
];

const CHANGED = [
  "echo 'rules: []' > .hookline/rules/a.yaml",
  'sed -i s/deny/allow/ .hookline/rules/a.yaml',
  'ln -sfn /tmp/x .hookline',
  'git mv .hookline x',
  'git checkout HEAD~5 -- .hookline',
  'git update-index --assume-unchanged .hookline/rules/a.yaml',
  'prettier --write .hookline/rules/a.yaml',
  'cd .hookline && frobnicate',
  'tar xf x.tar -C .hookline',
];

const EVERYDAY = ['git checkout main', 'git add .hookline', 'cat .hookline/rules/a.yaml', 'git stash -u'];

describe('with the default rules', () => {
  const decide = judged();
  test.each(TAKEN_AWAY)('denied: %s', (command) => {
    expect(decide(command)).toBe('deny');
  });
  test.each(CHANGED)('asked: %s', (command) => {
    expect(decide(command)).toBe('ask');
  });
  test.each(EVERYDAY)('no decision for %s', (command) => {
    expect(decide(command)).toBe('none');
  });
});

test('without self-protection they succeed, so it is what denies them', () => {
  const decide = judged({ 'self-protection': 'off', filesystem: 'off', git: 'off' });
  expect([...TAKEN_AWAY, ...CHANGED].filter((command) => decide(command) !== 'none')).toEqual([]);
});
