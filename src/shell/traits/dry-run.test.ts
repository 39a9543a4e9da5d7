import { describe, expect, test } from 'vitest';
import { matches } from '../../../test/support/rules/rules.ts';
import { look } from '../../../test/support/shell/shell.ts';

const CHANGES = ['write', 'delete', 'permission', 'vcs', 'system', 'package'];
const changes = (command: string) =>
  look(command)
    .effects.filter(
      (effect) => CHANGES.includes(effect.kind) || (effect.kind === 'resource' && effect.destructive),
    )
    .map(({ kind }) => kind);

describe('commands that only print have no effects', () => {
  test.each([
    'rm --help',
    'rm --help -rf x',
    'rm --version',
    'git push --help',
    'git push --force --dry-run',
    'git push -fn',
    'docker volume prune --help',
    'kubectl delete ns prod --dry-run=client',
    'kubectl delete ns prod --dry-run',
    'helm uninstall x --dry-run',
    'apt-get -s remove x',
    'crontab -l',
    'fdisk -l /dev/sda',
    'rsync -an --delete a/ /b/',
    'systemctl --help',
    'git push --force --no-dry-run --dry-run',
    'npm publish --dry-run',
    'npm i x --dry-run',
    'cargo --version install',
    'flyctl apps destroy x --dry-run',
    'del-cli --dry-run x',
    // Help of an undescribed program, after verbs.
    'unheard-of --help',
    'unheard-of --version',
    'unheard-of projects delete --help',
    'unheard-of db:drop --help',
    'unheard-of delete-config --help',
  ])('%s', (command) => {
    expect(look(command).commands[0]?.inert).toBe(true);
    expect(changes(command)).toEqual([]);
  });

  test.each([
    // BSD programs stop reading options at the first operand.
    'rm -rf x --help',
    'rm -rf -- x --help',
    // An unknown option may take the next word as its value.
    'rm --mystery --help x',
    'git push --mystery --dry-run',
    'kubectl delete ns prod --dry-run=none',
    'npm run build --help',
    'npm run build --dry-run',
    'docker run x --help',
    'bash x.sh --help',
    'python x.py --help',
    'find . -delete --help',
    'sudo rm -rf x --help',
    'xargs rm --help',
    'rm -rf x',
    // The last option wins.
    'git push --force --dry-run --no-dry-run',
    'git rm -f --dry-run --no-dry-run x',
    'kubectl delete ns prod --dry-run=client --dry-run=none',
    'kubectl delete ns prod --help --help=false',
    'rsync -n --no-dry-run --delete a/ /b/',
    // There it is the version of something else.
    'cargo install x --version 1.2',
    'dotnet add package x --version 1.2',
    // npm accepts it everywhere but obeys it only for some commands.
    'npm dist-tag rm x latest --dry-run',
    'npm deprecate x --dry-run',
    'git push --mystery --dry-run -- --dry-run',
    // A name to act on, or a word that may be one.
    'unheard-of delete prod1.x --help',
    'unheard-of delete x --force --help',
    'unheard-of delete --help x',
    'unheard-of delete -- --help',
    'unheard-of delete --version',
    'unheard-of delete "$X" --help',
    'unheard-of module::dump --help',
    'unheard-of run delete --help',
    'unheard-of rm --help',
    './unheard-of delete --help',
  ])('not %s', (command) => {
    expect(look(command).commands[0]?.inert).toBe(false);
  });

  test('still sees nested commands and written files', () => {
    expect(look("rsync -n -e 'sh x' a b:").commands.map(({ tool }) => tool)).toContain('sh');
    expect(changes('rm --help > /etc/passwd')).toEqual(['write']);
    expect(changes('delete() { rm -rf x; }; delete --help')).toEqual(['delete']);
    expect(changes("shopt -s expand_aliases\nalias purge='rm -rf x'\npurge --help")).toContain('delete');
  });

  test('deny and ask rules ignore dry runs, and allow rules do not', () => {
    expect(matches('command: git push --force', 'git push --force --dry-run')).toBe(false);
    expect(matches('command: git push --force', 'git push --force')).toBe(true);
  });
});

test('the last option wins', () => {
  expect(changes('git rm -rf --dry-run --no-dry-run x')).toContain('delete');
  expect(changes('git clean -fd --dry-run --no-dry-run')).toContain('delete');
  expect(changes('rsync -n --no-dry-run --delete a/ /b/')).toContain('delete');
  expect(changes('kubectl delete ns prod --dry-run=client --dry-run=none')).toEqual(['resource']);
  expect(changes('rclone sync --dry-run --dry-run=false a b:')).toEqual(['resource']);
  expect(changes('rimraf x --help')).toEqual(['delete']);
});

describe('settings without a command', () => {
  test('count as a command without other effects', () => {
    expect(look('PATH=/opt/x; npm test').commands).toMatchObject([
      { tool: ':', assignments: [{ name: 'PATH', value: '/opt/x' }] },
      { tool: 'npm' },
    ]);
    expect(look('X=$(id)').commands).toMatchObject([
      { tool: 'id' },
      { tool: ':', assignments: [{ name: 'X', value: null }] },
    ]);
  });

  test('do not count against the limits of a line', () => {
    expect(look('A=1;'.repeat(400)).coverage).toBe('complete');
  });
});
