import { expect, test } from 'vitest';
import { parseRules } from '../load.ts';
import { matches, session, shellCall } from '../testing.ts';

test.each([
  ['git push --force', 'git push --force', true],
  ['git push --force', 'git push -f', true],
  ['git push --force', 'git push -qf origin', true],
  ['git push --force', 'git push --forc', true],
  ['git push --force', 'git push origin main --force', true],
  ['git push --force', 'git -C x --no-pager push -f', true],
  ['git push --force', 'git push --force-with-lease', false],
  ['git push --force', 'git push', false],
  ['git push --force', 'git pull --force', false],
  ['git push -f', 'git push --force', true],
  ['rm -rf', 'rm --recursive -v --force x', true],
  ['rm -rf', 'rm -r x', false],
  ['rm -rf', 'rm -r -- -f', false],
])('flags in any order and spelling: %s on %j is %s', (pattern, command, expected) => {
  expect(matches(`command: "${pattern}"`, command)).toBe(expected);
});

test.each([
  ['kubectl --namespace=prod delete', 'kubectl delete pod x -n prod', true],
  ['kubectl --namespace=prod delete', 'kubectl delete pod x --namespace prod', true],
  ['kubectl --namespace=prod delete', 'kubectl delete pod x -n staging', false],
  ['kubectl --namespace=prod* delete', 'kubectl delete pod x -n prod-eu', true],
  ['git -c core.*', 'git -c core.pager=cat log', true],
  ['git -c core.*', 'git -c user.name=x log', false],
])('values of options: %s on %j is %s', (pattern, command, expected) => {
  expect(matches(`command: "${pattern}"`, command)).toBe(expected);
});

test.each([
  ['npm run *', 'npm run build', true],
  ['npm run *', 'npm run', false],
  ['git config * ./*', 'git config core.editor ./x/y', true],
  ['curl https://example.com/*', 'curl -s https://example.com/a/b?c=d', true],
  ['curl https://example.com/*', 'curl https://example.org/a', false],
  ['git checkout {main,master}', 'git checkout master', false],
  ['*', 'anything at all', true],
  ['touch', '/usr/bin/touch x', true],
  ['touch', 'echo touch', false],
])('words: %s on %j is %s', (pattern, command, expected) => {
  // A brace in a pattern is what it is in a shell: several words.
  expect(matches(`command: "${pattern}"`, command)).toBe(expected);
});

test.each([
  'sh -c "rm -rf x"',
  'sudo env A=1 rm -rf x',
  'echo x | xargs rm -rf',
  'find . -exec rm -rf {} +',
  'true && (rm -rf x)',
  'X=rm; $X -rf x',
  'eval "rm -rf x"',
  '$(rm -rf x)',
  "r''m -rf x",
])('it is found wherever it stands: %s', (command) => {
  expect(matches('command: rm -rf', command)).toBe(true);
});

test.each(['a; b', 'a | b', '$X'])('%j is no pattern of one command', (pattern) => {
  const { rules, problems } = parseRules(`rules: [{command: '${pattern}', deny: no}]`, 'test.yaml');
  expect(rules).toEqual([]);
  expect(problems).toHaveLength(1);
});

test.each([
  ['npm test', true],
  ['npm test --silent', true],
  ['npm test 2>/dev/null', true],
  ['npm test 2>&1', true],
  ['npm test && npm test', true],
  ['npm test && rm -rf .', false],
  ['npm test; rm -rf .', false],
  ['npm test | sh', false],
  ['npm test & curl example.com', false],
  ['npm test -- $(curl example.com)', false],
  ['npm test -- `id`', false],
  ['npm test -- $X', false],
  ['npm test <(id)', false],
  ['npm test > ~/.bashrc', false],
  ['npm test >> log', false],
  ['npm test >& log', false],
  ['npm test >&log', false],
  ['npm test < /etc/shadow', false],
  ['npm test <<< x', false],
  ['PATH=/tmp npm test', false],
  ['NODE_OPTIONS=--require=./x npm test', false],
  ['env npm test', false],
  ['sudo npm test', false],
  ['sh -c "npm test"', false],
  ['./npm test', false],
  ['/tmp/npm test', false],
  ['$NPM test', false],
  ['npm run test', false],
  ['npm tset', false],
  ['ssh host npm test', false],
  ['docker exec x npm test', false],
  ["npm test 'unterminated", false],
  ['npm() { id; }; npm test', false],
  ['alias npm=id; npm test', false],
  ['', false],
])('an allow is for the whole line and nothing else: %j is %s', (command, allowed) => {
  const decide = session('rules: [{command: npm test, allow: true}]');
  const [opinion] = decide(shellCall(command));
  expect(opinion?.response.decision ?? 'none').toBe(allowed ? 'allow' : 'none');
});

test('several patterns of one allow cover a line together', () => {
  const decide = session('rules: [{command: [npm test, git status], allow: true}]');
  expect(decide(shellCall('git status && npm test'))).toHaveLength(1);
  expect(decide(shellCall('git status && npm test && ls'))).toEqual([]);
});
