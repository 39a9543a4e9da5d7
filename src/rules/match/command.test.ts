import { describe, expect, test } from 'vitest';
import { matches, session, shellCall } from '../../../test/support/rules/rules.ts';
import { parseRules } from '../files/load.ts';
import { parseCommandPattern } from './command.ts';

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
  // Braces in a pattern expand to several words, as in a shell.
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
])('is found in any position: %s', (command) => {
  expect(matches('command: rm -rf', command)).toBe(true);
});

test.each(['a; b', 'a | b', '$X'])('%j is not a pattern of one command', (pattern) => {
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
])('an allow covers the whole line or nothing: %j is %s', (command, allowed) => {
  const decide = session('rules: [{command: npm test, allow: true}]');
  const [opinion] = decide(shellCall(command));
  expect(opinion?.response.decision ?? 'none').toBe(allowed ? 'allow' : 'none');
});

test('several patterns of one allow cover a line together', () => {
  const decide = session('rules: [{command: [npm test, git status], allow: true}]');
  expect(decide(shellCall('git status && npm test'))).toHaveLength(1);
  expect(decide(shellCall('git status && npm test && ls'))).toEqual([]);
});

const hits = (pattern: string, command: string) => matches(`command: ${JSON.stringify(pattern)}`, command);

describe('a command in rule syntax', () => {
  test.each([
    ['git push --force', 'git push --force'],
    ['git push --force', 'git push -f origin main'],
    ['git push --force', 'git push origin main --force'],
    ['git push --force', 'git -C api -c a=b push -uf origin main'],
    ['git push --force', 'git push --forc'],
    ['git push --force', 'git push --force=true'],
    ['git push -f', "sh -c 'cd x && git push --force'"],
    ['git push --force', 'sudo env A=1 git push -f'],
    ['git push --force', 'git push --force --force-with-lease'],
    ['rm -rf', 'rm -r --force x'],
    ['rm -rf', 'rm -fR x'],
    ['rm -rf', 'find . -exec rm -rf {} +'],
    ['kubectl delete namespace', 'kubectl -n x delete --wait namespace prod'],
    ['aws s3 rm --recursive', 'aws --profile p s3 rm s3://b --recursive'],
    ['git remote add', 'git remote add x y'],
    ['terraform destroy', 'terraform -chdir=x destroy -auto-approve'],
    ['terraform apply -auto-approve', 'terraform apply --auto-approve'],
    ['find -delete', 'find . -name x -delete'],
    ['find -exec', 'find . -exec ls {} +'],
    ['npm install *', 'npm i --save-dev left-pad'],
    ['touch', 'touch a'],
    ['python', 'python3.12 x.py'],
    ['python3', 'python -V'],
    ['mystery --x=1', 'mystery --x=1'],
    ['mystery a b', 'mystery a --c b'],
    ['docker compose down', 'docker compose -f x.yml down -v'],
    ['curl -X DELETE', 'curl --request DELETE https://a.example'],
    ['* --no-verify', 'git commit --no-verify'],
  ])('%j matches %j', (pattern, command) => {
    expect(hits(pattern, command)).toBe(true);
  });

  test.each([
    ['git push --force', 'git push'],
    ['git push --force', 'git push --force-with-lease'],
    ['git push --force', "echo 'git push --force'"],
    ['git push --force', 'git commit -m "git push --force"'],
    ['git push', 'git pull'],
    ['rm -rf', 'rm -r x'],
    ['rm -rf', 'rm -- -rf'],
    ['find -delete', 'find . -name -delete'],
    ['find -delete', 'find . -exec echo -delete \\;'],
    ['kubectl delete', 'kubectl get pods'],
    ['touch', 'touchy a'],
    ['mystery a b', 'mystery b a'],
    ['curl -X DELETE', 'curl -X POST https://a.example'],
  ])('%j does not match %j', (pattern, command) => {
    expect(hits(pattern, command)).toBe(false);
  });

  test.each(['', 'a | b', 'a; b', 'if x; then y; fi'])('%j is an invalid pattern', (text) => {
    expect(parseCommandPattern(text)).toHaveProperty('problem');
  });

  test('provides its program to the index', () => {
    expect(parseCommandPattern('/usr/bin/git push')).toMatchObject({ tool: 'git' });
    expect(parseCommandPattern('* -f')).toMatchObject({ tool: null });
  });
});
