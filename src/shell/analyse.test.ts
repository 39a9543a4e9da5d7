// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions.
import { describe, expect, test } from 'vitest';
import { effects, lines, look, paths } from '../../test/support/shell/shell.ts';
import { analyse } from './analyse.ts';
import type { Before } from './analysis.ts';

describe('names in angle brackets', () => {
  test.each([
    ['rm -rf <dir>', 'rm'],
    ['ps -fp <pid>', 'ps'],
    ['grep "OK" <file name> | wc -l', 'grep'],
  ])('reads %s as it was meant', (line, program) => {
    const { coverage, commands } = analyse(line);
    expect(coverage).toBe('partial');
    expect(commands[0]).toMatchObject({ tool: program, redirects: [] });
    expect(commands[0]?.argv.at(-1)?.text).toBe(null);
  });

  test('treats them as files where a shell does', () => {
    const { coverage, effects } = analyse('cat <in> out', { cwd: '/x' });
    expect(coverage).toBe('complete');
    expect(effects).toContainEqual(expect.objectContaining({ kind: 'write', path: '/x/out' }));
    expect(analyse("echo <a> ~/.bashrc 'x").coverage).toBe('failed');
  });
});

describe('an analysis', () => {
  test.each([
    ['of some folders', 20, 'complete'],
    ['of more folders than can be looked at', 30_000, 'over-budget'],
  ])('asks for links on the way to a path %s', (_, folders, coverage) => {
    let asked = 0;
    const before: Before = {
      hasLinks: true,
      linkAt(path) {
        asked += path.length;
        return undefined;
      },
      originsOf: () => undefined,
      sourcesOf: () => [],
      isAbsent: () => true,
      paths: () => [],
      textOf: () => null,
    };
    const deep = '/x'.repeat(folders);
    expect(analyse(`cp /a ${deep}/y`, { cwd: '/w', before }).coverage).toBe(coverage);
    expect(asked).toBeLessThan(100_000_000);
  });

  test('says where each command stands', () => {
    const command = 'cd /srv && sudo rm -rf data | tee log';
    const { commands, coverage, why } = look(command);
    expect({ coverage, why }).toEqual({ coverage: 'complete', why: [] });
    const rm = commands.find((found) => found.name === 'rm');
    expect(rm).toMatchObject({
      tool: 'rm',
      via: ['sudo'],
      cwd: '/srv',
      depth: 1,
      pipeline: { index: 0, size: 2 },
    });
    expect(command.slice(rm?.span.start, rm?.span.end)).toBe('sudo rm -rf data');
    expect(commands.find((found) => found.name === 'tee')?.stdin).toMatchObject({ from: 'pipe', text: null });
  });

  test.each(['echo `echo \\`rm a\\``', 'echo {a,$(rm a)}', 'echo ${x/$(rm a)/b}', "bash -c 'true; rm a'"])(
    '%j: code inside other text gets the span of the outer command',
    (command) => {
      const rm = look(`true; ${command}`).commands.find((found) => found.name === 'rm');
      expect(rm?.span).toEqual({ start: 6, end: 6 + command.length });
    },
  );

  test('zsh patterns may run code', () => {
    expect(look("ls *(e:'rm a':)").coverage).not.toBe('complete');
    expect(look('ls *(.)').coverage).toBe('complete');
  });

  test('knows which command feeds another', () => {
    const { commands } = look('curl https://a.example | sed s/a/b/ | sh');
    expect(commands[2]?.stdin.sources).toEqual([0, 1]);
  });

  test('keeps assignments and redirections', () => {
    const [command] = look('A=1 B=$X ls -l > out 2>> err < in').commands;
    expect(command?.assignments.map(({ name, value }) => [name, value])).toEqual([
      ['A', '1'],
      ['B', null],
    ]);
    expect(command?.redirects.map(({ operator, target }) => [operator, target.text])).toEqual([
      ['>', 'out'],
      ['2>>', 'err'],
      ['<', 'in'],
    ]);
  });

  test.each([
    ['cd $X; rm a', null],
    ['cd a/b; rm a', '/home/dev/shop/a/b'],
    ['cd; rm a', '/home/dev'],
    ['cd -; rm a', null],
    ['(cd /a); rm a', '/home/dev/shop'],
    ['cd /a | cat; rm a', '/home/dev/shop'],
    ['{ cd /a; }; rm a', '/a'],
    ['f() { cd /a; }; f; rm a', '/a'],
    ['if x; then cd /a; fi; rm a', null],
    ['pushd /a; rm a', '/a'],
    ['git -C /a status; rm a', '/home/dev/shop'],
  ])('%j: where rm runs', (command, cwd) => {
    expect(look(command).commands.at(-1)?.cwd).toBe(cwd);
  });

  test('resolves paths as far as they are known', () => {
    expect(paths('rm a ./b ../c /d/../e ~/f "$X" /g/$X', 'delete')).toEqual([
      '/home/dev/shop/a',
      '/home/dev/shop/b',
      '/home/dev/c',
      '/e',
      '/home/dev/f',
      '<"$X">',
      '</g/$X>',
    ]);
    expect(
      analyse('rm a ../b ~/c').effects.flatMap((effect) => (effect.kind === 'delete' ? effect.path : [])),
    ).toEqual(['a', '../b', '~/c']);
  });

  test('a failed parse still reports what was read', () => {
    const { coverage, why, commands } = look("rm -rf /srv 'oops");
    expect(coverage).toBe('failed');
    expect(why[0]).toContain('syntax');
    expect(commands[0]?.name).toBe('rm');
    expect(paths('&& rm -rf /srv', 'delete')).toEqual(['/srv']);
  });

  test('walks a function when it is called, and when an unknown name might call it', () => {
    expect(lines('f() { rm a; }')).toEqual([]);
    expect(lines('f() { rm a; }; f')).toEqual(['f', 'rm a']);
    expect(lines('f() { rm a; }; $X')).toContain('rm a');
    expect(lines('f() { rm a; }; sh -c f')).not.toContain('rm a');
  });

  test('reports a recursive function and does not follow it', () => {
    expect(effects(':(){ :|:& };:', 'system')).toContainEqual(
      expect.objectContaining({ action: 'recursion' }),
    );
  });

  test('a loop over input is walked once', () => {
    expect(lines('ls | while read -r f; do rm $f; done')).toEqual(['ls', 'read -r f', 'rm ?']);
  });

  test('a function may redefine itself', () => {
    expect(lines('f() { f() { rm a; }; f; }; f')).toContain('rm a');
  });

  test.each(['', '   ', '# nothing', '\n\n'])('%j has no effect', (command) => {
    expect(look(command)).toEqual({
      coverage: 'complete',
      why: [],
      commands: [],
      effects: [],
      code: [],
      left: [],
      names: new Map(),
    });
  });
});

test('after giving up a walk, still searches the rest of the line for commands', () => {
  const calls = (name: string) => `{ ${`${name}; `.repeat(4)}}`;
  const line = `a() ${calls(':')}; b() ${calls('a')}; c() ${calls('b')}; d() ${calls('c')}; ${'d; '.repeat(9)}rm -rf /srv`;
  const { coverage, effects } = look(line);
  expect(coverage).toBe('over-budget');
  expect(effects).toContainEqual(expect.objectContaining({ kind: 'delete', path: '/srv' }));
});

test('nested loops do not multiply the candidates of a word', () => {
  const names = (turns: number) => {
    const line = `for x in {1..${turns}}; do for y in {1..${turns}}; do ls $y; done; done`;
    return [...analyse(line, { cwd: '/p' }).names.values()].reduce((sum, all) => sum + all.length, 0);
  };
  expect(names(22)).toBeLessThanOrEqual(4 * names(11));
});
