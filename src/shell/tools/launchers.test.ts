import { expect, test } from 'vitest';
import { effects, paths } from '../../../test/support/shell/shell.ts';
import { analyse } from '../analyse.ts';

const LINE = 'rm -rf /srv/x';

test.each([
  `man -P '${LINE}' ls`,
  `PAGER='${LINE}' man ls`,
  `less '+!${LINE}' f`,
  `expect -c 'spawn ${LINE}; interact'`,
  `nix-shell --run '${LINE}'`,
  `nu -c '${LINE}'`,
  `sg group -c '${LINE}'`,
  `ansible localhost -m shell -a '${LINE}'`,
  `pssh -h hosts '${LINE}'`,
  `sops exec-env f '${LINE}'`,
  `conda run -n x ${LINE}`,
  `vagrant ssh -c '${LINE}'`,
  `direnv exec . ${LINE}`,
  `lxc exec c -- ${LINE}`,
  `scp -o ProxyCommand='${LINE}' a b:`,
  `zip x.zip y -T -TT '${LINE}'`,
  `ex -sc '!${LINE}' -cx`,
  `mysql -e 'system ${LINE}'`,
  `bun -e 'await $\`${LINE}\`'`,
  `osascript -l JavaScript -e 'app.doShellScript("${LINE}")'`,
  `crystal eval 'system("${LINE}")'`,
  `tar xf x.tar --to-command='${LINE}'`,
  `rsync --rsync-path='${LINE}; rsync' a b:`,
  `strace -o '|${LINE}' ls`,
  `vim -es '+!${LINE}' +q`,
  `vim -es -c ':!${LINE}' -c q`,
  `emacs --batch --eval '(shell-command "${LINE}")'`,
  `printf 'all:\\n\\t${LINE}\\n' > Makefile && make`,
  `make CC='${LINE};' all`,
  `git clone 'ext::sh -c ${LINE.replaceAll(' ', '% ')}'`,
  `salt '*' cmd.run '${LINE}'`,
  `ansible all -m file -a 'path=/srv/x state=absent'`,
])('%s runs its arguments', (command) => {
  const { commands } = analyse(command, { cwd: '/p', home: '/home/dev' });
  expect(
    commands.map(({ argv }) =>
      argv
        .map(({ template }) => template)
        .join(' ')
        .replace(/^!/, ''),
    ),
  ).toContain(LINE);
});

test.each([
  'man ls',
  'less README.md',
  'lxc list',
  'ansible all -m ping',
  'conda install x',
  'bun install',
  'make CC=gcc all',
  'rsync --rsync-path=/opt/rsync a b:',
  'strace -o x.log',
])('%s starts nothing', (command) => {
  expect(analyse(command, { cwd: '/p', home: '/home/dev' }).commands).toHaveLength(1);
});

test('start-stop-daemon passes every word after the dashes to its program', () => {
  expect(paths('start-stop-daemon -S -x /bin/rm -- -rf /srv', 'delete')).toEqual(['/srv']);
  expect(effects('start-stop-daemon -S -x /bin/rm -- -rf /srv', 'delete')).toMatchObject([
    { recursive: true },
  ]);
});

test.each(["elvish -c 'rm -rf /srv'", "elvish -norc -c 'rm -rf /srv'", "elvish -c -norc 'rm -rf /srv'"])(
  '%s runs the line',
  (line) => expect(paths(line, 'delete')).toEqual(['/srv']),
);
