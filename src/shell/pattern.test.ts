import { describe, expect, test } from 'vitest';
import { commandPattern } from './pattern.ts';
import { look } from './testing.ts';

function hits(pattern: string, command: string): boolean {
  const compiled = commandPattern(pattern);
  return look(command).commands.some((found) => compiled?.matches(found) === true);
}

describe('a command as a rule writes it', () => {
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
    ['mystery -x', 'mystery -vx'],
    ['mystery --x=1', 'mystery --x=1'],
    ['mystery a b', 'mystery a --c b'],
    ['docker compose down', 'docker compose -f x.yml down -v'],
    ['curl -X DELETE', 'curl --request DELETE https://a.example'],
    ['* --no-verify', 'git commit --no-verify'],
  ])('%j fits %j', (pattern, command) => {
    expect(hits(pattern, command)).toBe(true);
  });

  test.each([
    ['git push --force', 'git push'],
    ['git push --force', 'git push --force-with-lease'],
    ['git push --force', 'git push --force --no-force'],
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
  ])('%j does not fit %j', (pattern, command) => {
    expect(hits(pattern, command)).toBe(false);
  });

  test.each(['', 'a | b', 'a; b', 'if x; then y; fi'])('%j is no pattern', (text) => {
    expect(commandPattern(text)).toBeNull();
  });

  test('knows its program, for an index', () => {
    expect(commandPattern('/usr/bin/git push')?.tool).toBe('git');
    expect(commandPattern('* -f')?.tool).toBeNull();
  });
});
