// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions.
import { describe, expect, test } from 'vitest';
import { lines, look } from '../../../test/support/shell/shell.ts';
import { analyse } from '../analyse.ts';
import { expandBraces } from './braces.ts';
import { globPattern } from './pattern.ts';

describe('expanding a word', () => {
  test.each([
    ['echo ~/a ~ "~"', 'echo /home/dev/a /home/dev ~'],
    ['echo $HOME/x ${HOME}', 'echo /home/dev/x /home/dev'],
    ['cd /a; echo $PWD', 'echo /a'],
    ['X="a b"; echo $X "$X"', 'echo a b a b'],
    ["X='a b'; echo '$X'", 'echo $X'],
    ['X=1; X+=2; echo $X', 'echo 12'],
    ['echo ${X:-d} ${X-d}', 'echo d d'],
    ['X=; echo ${X:-d}', 'echo d'],
    ['X=a; echo ${X:+b} ${#X}', 'echo b 1'],
    ['X=a.tar.gz; echo ${X%.*} ${X%%.*} ${X#*.} ${X##*.}', 'echo a.tar a tar.gz gz'],
    ['X=aXbX; echo ${X//X/-} ${X/X/-} ${X/#a/z} ${X/%X/z}', 'echo a-b- a-bX zXbX aXbz'],
    ['X=abcdef; echo ${X:1:2} ${X: -2} ${X:0:-4}', 'echo bc ef ab'],
    ['X=aB; echo ${X^^} ${X,,} ${X^} ${X@U}', 'echo AB ab AB AB'],
    ['echo $((1+2*3)) $((16#ff)) $((2**4))', 'echo 7 255 16'],
    ['N=4; echo $((N/2))', 'echo 2'],
    ['a=(x y z); echo ${a[1]} "${a[@]}" "${a[@]:1}" ${#a}', 'echo y x y z y z 1'],
    ['a=(x); a+=(y); echo ${a[@]}', 'echo x y'],
    ['a[2]=q; echo ${a[2]}', 'echo q'],
    ['echo a{b,c}d x{1..3} {a..c}', 'echo abd acd x1 x2 x3 a b c'],
    ['echo {a,"b c"} {x,{y,z}}', 'echo a b c x y z'],
    ["echo $'a\\tb' $'\\x41\\u0042\\103'", 'echo a\tb ABC'],
    ['echo "a"\'b\'c\\ d', 'echo abc d'],
    ['echo $(echo a; echo b)', 'echo a b'],
    ['echo "$(printf "%s-" a b)"', 'echo a-b-'],
    ['X=$(echo a); Y=$X$X; echo $Y', 'echo aa'],
    ['f() { echo $1 $#; }; f a b', 'echo a 2'],
    ['f() { shift; echo "$@"; }; f a b c', 'echo b c'],
    ['while read -r l; do echo $l; done', 'echo ?'],
    ['echo $UNSET_THING', 'echo ?'],
    ['echo "$@"', 'echo ?'],
    ['X=$(date); echo $X', 'echo ?'],
    ['unset X; echo a$X', 'echo a'],
    ['(X=1); echo $X', 'echo ?'],
    ['X=1 | cat; echo $X', 'echo ?'],
    ['if true; then X=a; else X=b; fi; echo $X', 'echo ?'],
    ['X=a; if true; then :; fi; echo $X', 'echo a'],
    ['echo a\\\nb', 'echo ab'],
  ])('%j', (command, last) => {
    expect(lines(command).at(-1)).toBe(last);
  });

  test('knows a variable from the given environment', () => {
    const { commands } = analyse('$TOOL $ARG', { env: { TOOL: 'rm', ARG: '-rf x' } });
    expect(commands[0]?.argv.map((word) => word.text)).toEqual(['rm', '-rf', 'x']);
  });

  test('a loop is unrolled over literal words', () => {
    expect(lines('for i in a b; do echo $i; done')).toEqual(['echo a', 'echo b']);
  });

  test('forgets the old value of what a loop changes', () => {
    expect(look('X=ls; while true; do $X; X=rm; done').commands.map((command) => command.name)).toContain(
      null,
    );
  });

  test('keeps a pattern and marks it', () => {
    const [command] = look('ls *.ts "*.js"').commands;
    expect(command?.argv.map((word) => word.glob)).toEqual([false, true, false]);
  });

  test('keeps the literal start of an unknown word', () => {
    const [read] = analyse('cat /etc/$X/y', {}).effects.filter((effect) => effect.kind === 'read');
    expect(read).toMatchObject({ path: null, prefix: '/etc', raw: '/etc/$X/y' });
  });

  test('a new shell gets exported variables only', () => {
    expect(lines("A=1; export B=2; sh -c 'echo $A $B'").at(-1)).toBe('echo ? 2');
  });

  test('a doubling variable stops growing', () => {
    expect(lines(`a=xxxxxxxx;${'a=$a$a;'.repeat(60)}echo $a`).at(-1)).toBe('echo ?');
  });
});

describe('braces', () => {
  test('keep quotes as they are', () => {
    expect(expandBraces('a{"x,y",z}')).toEqual(['a"x,y"', 'az']);
  });

  test('are not those of variables or single words', () => {
    expect(expandBraces('${a,b}{c}')).toEqual(['${a,b}{c}']);
  });

  test('give up before they explode', () => {
    expect(expandBraces('{a,b}'.repeat(40))).toBeNull();
    expect(expandBraces('{1..99999}')).toBeNull();
    expect(look(`rm ${'{a,b}'.repeat(40)}`).coverage).toBe('partial');
  });
});

describe('patterns', () => {
  test.each([
    ['a*c', 'abbc', true],
    ['a*c', 'abbd', false],
    ['*.*', 'a.b', true],
    ['?b', 'ab', true],
    ['a*b*c', 'a-b-b-c', true],
    ['', '', true],
    ['*a', 'b', false],
  ])('%j on %j', (pattern, text, fits) => {
    expect(globPattern(pattern)?.(text)).toBe(fits);
  });

  test('rejects brackets and long patterns', () => {
    expect(globPattern('[a]')).toBeNull();
    expect(globPattern('*a'.repeat(50))).toBeNull();
  });
});
