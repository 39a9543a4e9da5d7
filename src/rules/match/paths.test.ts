import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matches } from '../../../test/support/rules/rules.ts';
import { pathPatterns, placeAt, type Touched } from './paths.ts';

const scope = {
  home: '/home/dev',
  project: '/home/dev/project',
  real: (path: string) => path,
  expand: () => null,
};
const place = (path: string | null, more: Partial<Touched> = {}): Touched => ({ ...placeAt(path), ...more });
const howSurely = (glob: string, touched: Touched) => pathPatterns([glob]).touch(touched, scope);
const touches = (glob: string, touched: Touched) => {
  const level = howSurely(glob, touched);
  return level === 'certain' || level === 'likely';
};
const covers = (glob: string, touched: Touched) => pathPatterns([glob]).cover(touched, scope);

test.each([
  ['/etc/passwd', '/etc/passwd', true],
  ['/etc/passwd', '/etc/passwd.bak', false],
  ['/etc/**', '/etc/a/b', true],
  ['/etc/**', '/etc', true],
  ['/etc/**', '/etcetera', false],
  ['/etc/*', '/etc/a/b', false],
  ['~', '/home/dev', true],
  ['~/.ssh/**', '/home/dev/.ssh/id_rsa', true],
  ['.', '/home/dev/project', true],
  ['src/**', '/home/dev/project/src/a.ts', true],
  ['./src/*.ts', '/home/dev/project/src/a.ts', true],
  ['src/**', '/home/dev/src/a.ts', false],
  ['**/.env', '/anywhere/at/all/.env', true],
  ['**/.env', '/anywhere/.env.local', false],
  ['**/{a,b}.json', '/x/b.json', true],
  ['**/fixtures/**', '/x/fixtures/y/z', true],
  ['**/fixtures/**', '/x/fixtures', true],
  ['**/fixtures/**', '/x/my-fixtures/y', false],
  ['/a/{b,c}/**', '/a/c/d', true],
])('%s and %s: %s', (glob, path, expected) => {
  expect(touches(glob, place(path))).toBe(expected);
  expect(covers(glob, place(path))).toBe(expected);
});

test.each([
  ['/home/other/.ssh/id_rsa', 'certain'],
  ['/Users/other/.ssh/id_rsa', 'certain'],
  ['/root/.ssh/id_rsa', 'certain'],
  ['/home/*/.ssh/id_rsa', 'certain'],
  ['/srv/other/.ssh/id_rsa', null],
  ['/home/other/ssh/id_rsa', null],
])('a dotfile pattern applies to every home, but an exception only to the own one: %s', (path, level) => {
  expect(howSurely('~/.ssh/**', place(path, { glob: path.includes('*') }))).toBe(level);
  expect(covers('~/.ssh/**', place(path))).toBe(false);
});

describe('a directory with all its content', () => {
  const whole = { recursive: true };
  test.each([
    ['~/.ssh/**', '/home/dev', true],
    ['~/.ssh/**', '/', true],
    ['~/.ssh/id_*', '/home/dev/.ssh', true],
    ['.', '/home', true],
    ['.', '/home/dev/project/src', false],
    ['~/.ssh/**', '/home/dev/project', false],
    // Some .env exists below nearly every directory, so such a pattern would match every deletion.
    ['**/.env', '/home/dev/project', false],
  ])('%s is touched with %s: %s', (glob, path, expected) => {
    expect(touches(glob, place(path, whole))).toBe(expected);
    expect(touches(glob, place(path))).toBe(false);
  });
});

describe('a glob touches whatever it may match', () => {
  test.each([
    ['**/.env', '/home/dev/project/.e*', true],
    ['**/.env', '/home/dev/project/.[[:valueOf:]e]nv', true],
    ['**/.env', '/home/dev/project/*', false],
    ['**/.env', '/home/dev/project/.*', true],
    ['~/.ssh/id_*', '/home/dev/.ssh/*', true],
    ['~/.ssh/id_*', '/home/dev/*/id_rsa', false],
    ['~/.ssh/id_*', '/home/dev/.*/id_rsa', true],
    ['~/.ssh/**', '/home/dev/*.log', false],
    ['**/*.pem', '/x/*.md', false],
    ['**/id_{rsa,dsa}', '/x/*.md', false],
    ['/etc/passwd', '/et[c]/passw?', true],
    ['/etc/passwd', '/et[x]/passwd', false],
  ])('%s and %s: %s', (glob, path, expected) => {
    expect(touches(glob, place(path, { glob: true }))).toBe(expected);
  });

  test.each([
    ['**/id_rsa', '/x/*', 'possible'],
    ['**/id_rsa', '/x/i*', 'likely'],
    ['**/.env', '/x/**/*.env', 'likely'],
    ['**/*.pem', '/x/*', 'possible'],
    ['**/*.pem', '/x/*.pem', 'certain'],
    ['**/*.pem', '/x/ca*.pem', 'certain'],
    ['**/key_*', '/x/key_a*', 'certain'],
    ['**/key_a*', '/x/key_*', 'likely'],
    ['~/.ssh/id_*', '/home/dev/.ssh/*', 'likely'],
    ['~/.ssh/**', '/home/dev/.ssh/*', 'certain'],
    ['~/.netrc', '/home/dev/.netr*', 'likely'],
    ['~/.ssh/**', '/home/dev/**', 'likely'],
    ['~/.ssh/**', '/home/dev/**/config', 'possible'],
    ['~/.ssh/config', '/home/dev/**/config', 'likely'],
    ['~/.ssh/**', '/home/dev/**/.ssh', 'likely'],
    ['~/.ssh/**', '/home/dev/**/*.css', 'possible'],
    ['.git/hooks/**', '/home/dev/project/**/*.java', 'possible'],
    ['.git/hooks/*.sample', '/home/dev/project/**/*.java', null],
    ['**/.env', '/home/dev/**', 'possible'],
    ['**/.env', '/home/dev/**/{a,.env}', 'certain'],
  ])('%s and %s: %s', (glob, path, level) => {
    expect(howSurely(glob, place(path, { glob: true }))).toBe(level);
  });

  test('a filtered search touches paths only possibly', () => {
    const found = (path: string) => place(path, { glob: true, sifted: true });
    expect(howSurely('~/.ssh/**', found('/home/dev/**'))).toBe('possible');
    expect(howSurely('~/.ssh/config', found('/home/dev/**/config'))).toBe('possible');
    expect(howSurely('~/.ssh/**', found('/home/dev/.ssh/**'))).toBe('certain');
  });

  test('a quoted pattern is an ordinary name', () => {
    expect(howSurely('~/.ssh/**', place('/home/dev/.s*', { recursive: true }))).toBe(null);
    expect(howSurely('.git', place('/home/dev/project/{}', { recursive: true }))).toBe(null);
    expect(matches('reads: "**/id_rsa"', "cat 'id_*'")).toBe(false);
    expect(matches('deletes: src', "rm -rf 's*'")).toBe(false);
    expect(matches('deletes: src', 'rm -rf s*')).toBe(true);
  });

  test('an unknown directory may be the home', () => {
    const ending = (text: string) => place(null, { ending: text });
    expect(howSurely('~/.ssh/**', ending('/.ssh/config'))).toBe('likely');
    expect(howSurely('**/id_rsa', ending('/keys/id_rsa'))).toBe('likely');
    expect(howSurely('~/build', ending('/build'))).toBe(null);
    expect(howSurely('/etc/**', ending('/etc/passwd'))).toBe(null);
  });

  test('a glob stands for its matches if the directory is readable', () => {
    const on = (...names: string[]) => ({ ...scope, expand: () => names.map((name) => `/x/${name}`) });
    const given = place('/x/*', { glob: true });
    expect(pathPatterns(['**/id_rsa']).touch(given, on('a.ts', 'id_rsa'))).toBe('certain');
    expect(pathPatterns(['**/id_rsa']).touch(given, on('a.ts'))).toBe(null);
    expect(pathPatterns(['**/id_rsa']).touch(place('/x/i*', { glob: true }), on())).toBe(null);
  });

  test('a search touches content of its directory, not the directory itself', () => {
    const found = place('/home/dev/project/**', { glob: true, recursive: true });
    expect(touches('.', found)).toBe(false);
    expect(touches('src/**', found)).toBe(true);
    expect(touches('~/*', found)).toBe(false);
    expect(covers('./**', found)).toBe(true);
    expect(covers('./*', found)).toBe(false);
  });
});

describe('unknown paths', () => {
  test.each([
    ['<unknown>', null, true],
    ['<unknown>', '/', true],
    ['<unknown>', '/tmp', false],
    ['~/.ssh/**', '/home/dev/.ssh', true],
    ['~/.ssh/id_*', '/home/dev/.ssh', true],
    ['~/.ssh/**', '/home/dev', false],
    ['/*', '/', true],
    ['/*', '/home/dev/project/build', false],
    ['**', null, false],
  ])('%s and something in %s: %s', (glob, prefix, expected) => {
    expect(touches(glob, place(null, { prefix }))).toBe(expected);
  });

  test('is inside a directory only if its start is', () => {
    expect(covers('/tmp/**', place(null, { prefix: '/tmp' }))).toBe(true);
    expect(covers('/tmp/**', place(null, { prefix: '/' }))).toBe(false);
    expect(covers('/tmp/**', place(null))).toBe(false);
  });
});

describe('symbolic links', () => {
  const links: Readonly<Record<string, string>> = {
    '/home/dev/project/link': '/etc',
    '/home/dev/project/link/passwd': '/etc/passwd',
    '/home/dev/project/keys': '/home/dev/.ssh',
  };
  const world = { real: (path: string) => links[path] ?? path };

  test.each([
    ['reads: /etc/passwd', 'cat link/passwd', true],
    ['reads: ~/.ssh/**', 'cat keys', true],
    ['deletes: ~/.ssh/id_rsa', 'rm -rf keys', true],
    ['reads: ./**', 'cat link/passwd', true],
    ['reads: /etc/passwd', 'cat other/passwd', false],
  ])('are followed: %s on %j is %s', (rule, command, expected) => {
    expect(matches(rule, command, world)).toBe(expected);
  });

  test('never bring anything into an exception', () => {
    const rule = 'reads: "**", unless: {reads: ./**}';
    expect(matches(rule, 'cat src/a', world)).toBe(false);
    expect(matches(rule, 'cat link/passwd', world)).toBe(true);
  });

  test('a linked project is still the project', () => {
    const moved = { real: (path: string) => path.replace('/home/dev/project', '/data/project') };
    expect(matches('deletes: "**", unless: {deletes: ./**}', 'rm a', moved)).toBe(false);
    expect(matches('deletes: "**", unless: {deletes: ./**}', 'rm ../a', moved)).toBe(true);
  });
});

test.each([
  ['cat ../project/./src/../.env', true],
  ['cat ~/project/.env', true],
  ['cd src && cat ../.env', true],
  ['cat "$PWD/.env"', true],
  ['P=.en; cat "$P"v', true],
  ['cat ../other/.env', false],
])('several paths to one file: %s', (command, expected) => {
  expect(matches('reads: .env', command)).toBe(expected);
});

test('a pattern touches a literal path exactly if it contains it', () => {
  const name = fc.constantFrom('a', 'b', '.c', 'd.ts');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join('/')}`);
  const piece = fc.oneof(name, fc.constantFrom('*', '**', '*.ts', '{a,b}'));
  const glob = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => `/${pieces.join('/')}`);
  fc.assert(
    fc.property(path, glob, (given, pattern) => {
      expect(touches(pattern, place(given))).toBe(covers(pattern, place(given)));
    }),
  );
});

test('deleting a directory touches whatever a pattern names in it', () => {
  const name = fc.constantFrom('a', 'b', '.c');
  const names = fc.array(name, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(names, fc.nat(4), (path, depth) => {
      const folder = `/${path.slice(0, depth % path.length).join('/')}`;
      expect(touches(`/${path.join('/')}`, place(folder, { recursive: true }))).toBe(true);
    }),
  );
});

test('what is covered is certainly touched', () => {
  const name = fc.constantFrom<string>('a', 'b*', '.x', '*', '?', 'id_rsa', '**');
  const names = fc.array(name, { minLength: 1, maxLength: 4 });
  // An exception for a directory covers all search results in it.
  const path = names.filter((all) => all.at(-1) !== '**').map((all) => `/${all.join('/')}`);
  const pattern = fc.constantFrom('/a/**', '**/id_rsa', '/**', '/*/b*', '**/.x/**', '/a/*');
  fc.assert(
    fc.property(path, pattern, fc.boolean(), fc.boolean(), (given, glob, isPrefix, sifted) => {
      const touched = isPrefix ? place(null, { prefix: given }) : place(given, { glob: true, sifted });
      if (covers(glob, touched)) expect(howSurely(glob, touched)).toBe('certain');
    }),
  );
});
