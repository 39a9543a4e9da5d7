import { expect, test } from 'vitest';
import { plainWorld, rulesIn, shellCall } from '../../../test/support/rules/rules.ts';
import { matchedWords } from './matched-words.ts';

function marked(rule: string, command: string): readonly string[] {
  const [one] = rulesIn(`rules:\n  - { id: r, ${rule}, ask: Why. }\n`);
  const { tool, cwd } = shellCall(command);
  if (!one) throw new Error('no rule');
  return matchedWords(one, { source: 'example', cwd, tool }, plainWorld).map(([start, end]) =>
    command.slice(start, end),
  );
}

test.each([
  ['command: npm install', 'npm install left-pad', ['npm install']],
  ['command: npm install', 'cd api && npm install left-pad; ls', ['npm install']],
  ['effects: vcs push force', 'git push --force origin main', ['git push --force']],
  ['effects: vcs push force', 'git push -f --force origin', ['git push']],
  ['command: npm install', 'npm test', []],
])('%s marks in %s', (rule, command, words) => {
  expect(marked(rule, command)).toEqual(words);
});

test('a line that is too long is not gone through', () => {
  expect(marked('command: npm install', `npm install ${'a '.repeat(1_500)}`)).toEqual([]);
});
