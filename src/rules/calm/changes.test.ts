import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCalm } from '../../../test/support/rules/calm.ts';

const CALM = [
  'ls',
  'ls -la src',
  'cat README.md package.json',
  'head -n 20 src/main.ts',
  'tail -5 app.log',
  'wc -l src/*.ts',
  'grep -rn TODO src',
  "grep -E 'a|b' src/main.ts | sort | uniq -c",
  'rg -n foo src',
  "find . -name '*.ts' -type f",
  "find src -mtime -1 -not -path '*/dist/*' | head",
  'sort -k2 data.txt',
  "sed -n '1,5p' data.txt",
  "awk -F: '{ print $1 }' data.txt",
  "jq -r '.name' package.json",
  'cut -d: -f1 /etc/passwd',
  'diff a.txt b.txt',
  'git status --short',
  'git log --oneline -5',
  'git diff HEAD~1 -- src',
  'git show HEAD:src/main.ts',
  'cd src && ls',
  'du -sh src',
  'stat package.json',
  'echo hello',
  'date +%s',
  'cat < data.txt',
  "find src -name '*.ts' | xargs grep -l foo",
  'find src -type f -print0 | xargs -0 wc -l',
  "find src -name '*.ts' -exec grep -n foo {} +",
  'find src -type f | xargs -I{} head -3 {} | sort',
  'test -f package.json',
  '[ -d src ]',
  'git branch --merged main',
  'git clean -nd',
  'free -m',
  'unzip -l a.zip',
];

test.each(CALM)('calm: %s', (line) => {
  expect(isCalm(line)).toBe(true);
});

describe('any change to a calm line ends its calm', () => {
  const SETTINGS = [
    ...[
      'PATH=/tmp/x',
      'BASH_ENV=./x',
      'ENV=./x',
      'LD_PRELOAD=./x.so',
      'LESSOPEN="|./x %s"',
      'PAGER=./x',
      'IFS=/',
    ],
    ...[
      'GIT_PAGER=./x',
      'GIT_EXTERNAL_DIFF=./x',
      'GIT_DIR=/tmp/x',
      'GIT_CONFIG_COUNT=1',
      'GIT_SSH_COMMAND=./x',
    ],
    ...['RIPGREP_CONFIG_PATH=./x', 'AWKPATH=/tmp', 'TZ=x', 'LC_ALL=C', 'A=b'],
  ];
  const UNKNOWN_PROGRAMS = [
    './x',
    'zz',
    'sh',
    'bash -s',
    'xargs rm',
    'tee out',
    'python3',
    'node',
    'nc h 1',
    'sudo cat',
  ];
  type Change = (line: string) => string;
  const CHANGES: readonly (readonly [string, readonly Change[]])[] = [
    [
      'a setting before it',
      SETTINGS.flatMap((set) => [(l: string) => `${set} ${l}`, (l: string) => `${set}; ${l}`]),
    ],
    [
      'an exported setting',
      SETTINGS.flatMap((set) => [(l: string) => `export ${set}; ${l}`, (l: string) => `env ${set} ${l}`]),
    ],
    [
      'a computed word',
      [
        (l) => `${l} "$ZZ"`,
        (l) => `${l} $ZZ`,
        (l) => `${l} $(zz)`,
        (l) => `${l} \`zz\``,
        (l) => `${l} <(zz)`,
        (l) => `${l} $((1+1))`,
        (l) => `$ZZ ${l}`,
        (l) => `$(zz) ${l}`,
      ],
    ],
    [
      'a redirection',
      ['> f', '>> f', '2> f', '&> f', '>| f', '<> f', '> /tmp/f', '>&f', '< ~/f', '< .env', '3> f'].map(
        (to) => (l) => `${l} ${to}`,
      ),
    ],
    [
      'another command',
      UNKNOWN_PROGRAMS.flatMap((one) =>
        ['|', '|&', '&&', '||', ';', '&', '\n'].flatMap((by) => [
          (l: string) => `${l} ${by} ${one}`,
          (l: string) => `${one} ${by} ${l}`,
        ]),
      ),
    ],
    [
      'something around it',
      [
        (l) => `(${l})`,
        (l) => `{ ${l}; }`,
        (l) => `${l} &`,
        (l) => `if true; then ${l}; fi`,
        (l) => `while true; do ${l}; done`,
        (l) => `for x in a; do ${l}; done`,
        (l) => `eval '${l.replaceAll("'", "'\\''")}'`,
        (l) => `sh -c '${l.replaceAll("'", "'\\''")}'`,
        (l) => `sudo ${l}`,
        (l) => `watch ${l}`,
        (l) => `nohup ${l}`,
        (l) => `xargs ${l}`,
        (l) => `ssh host ${l}`,
        (l) => `docker exec c ${l}`,
      ],
    ],
    [
      'another meaning of its name',
      [
        (l) => `${l.split(' ')[0]}() { zz; }; ${l}`,
        (l) => `alias ${l.split(' ')[0]}=zz; ${l}`,
        (l) => `./${l}`,
        (l) => `/tmp/${l}`,
        (l) => `bin/${l}`,
        (l) => `hash -p /tmp/x ${l.split(' ')[0]}; ${l}`,
        (l) => `enable -f ./x.so ${l.split(' ')[0]}; ${l}`,
        (l) => `set -o xtrace; ${l}`,
        (l) => `shopt -s globstar; ${l}`,
        (l) => `. ./x; ${l}`,
        (l) => `cd /tmp && ${l}`,
        (l) => `cd ..; ${l}`,
        (l) => `cd; ${l}`,
        (l) => `pushd /; ${l}`,
      ],
    ],
  ];

  test.each(CHANGES)('%s', (_, changes) => {
    fc.assert(
      fc.property(fc.constantFrom(...CALM), fc.constantFrom(...changes), (line, change) => {
        expect(isCalm(change(line)), change(line)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test('an unknown option', () => {
    const option = fc.oneof(
      fc.stringMatching(/^--zz[a-z-]{0,8}$/),
      fc.stringMatching(/^--zz[a-z]{0,4}=[a-z./]{1,8}$/),
    );
    // Arguments of echo and cd are plain words.
    const lines = CALM.filter((line) => !/^(?:echo|find)/.test(line) && !/[|&<]/.test(line));
    fc.assert(
      fc.property(fc.constantFrom(...lines), option, (line, added) => {
        const [program = '', ...rest] = line.split(' ');
        const verb = program === 'git' ? rest.splice(0, 1) : [];
        const changed = [program, ...verb, added, ...rest].join(' ');
        expect(isCalm(changed), changed).toBe(false);
      }),
    );
  });

  test('a further word that leads out of the project', () => {
    const outside = [
      '/',
      '/tmp',
      '/var/log/x',
      '/root',
      '~',
      '~/.ssh/id_rsa',
      '..',
      '/dev/zero',
      '/dev/sda',
      '/proc/self/environ',
      '/home/other',
      '~root/x',
    ];
    const lines = CALM.filter((line) => !/^(?:echo|date|cd|find src|jq)|[|<]/.test(line));
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.constantFrom(...outside), (line, path) => {
        const changed = line.startsWith('find') ? line.replace('.', path) : `${line} ${path}`;
        expect(isCalm(changed), changed).toBe(false);
      }),
    );
  });

  test('a private path', () => {
    const secret = [
      '.env',
      '.env.local',
      'config/credentials.json',
      'key.pem',
      'id_rsa',
      '.npmrc',
      '.git/config',
      'secrets/x',
    ];
    const lines = [
      'cat',
      'head -1',
      'grep x',
      'wc -l',
      'sort',
      'sed -n 1p',
      "awk '{ print }'",
      'git show HEAD:',
      'cat < ',
      'base64',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.constantFrom(...secret), (line, path) => {
        const changed = line.endsWith(':') ? line + path : `${line} ${path}`;
        expect(isCalm(changed), changed).toBe(false);
      }),
    );
  });
});
