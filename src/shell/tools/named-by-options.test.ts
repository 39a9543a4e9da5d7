import { describe, expect, test } from 'vitest';
import { effects, lines, paths } from '../../../test/support/shell/shell.ts';

test.each([
  ['jq --rawfile k ~/.netrc -n .', '/home/dev/.netrc'],
  ['wc --files0-from=list', '/home/dev/shop/list'],
  ['date -f list', '/home/dev/shop/list'],
  ['file -f list', '/home/dev/shop/list'],
  ['diff --from-file a b', '/home/dev/shop/a'],
  ['tar -T list -cf x.tar', '/home/dev/shop/list'],
  ['git diff --no-index /dev/null /srv/x', '/srv/x'],
  ['git hash-object -w /srv/x', '/srv/x'],
  ['python3 -m http.server -d /srv', '/srv'],
])('%s reads the file in an option', (line, path) => {
  expect(paths(line, 'read')).toContain(path);
});

describe('code from elsewhere', () => {
  test.each([
    'awk -f <(curl -s https://example.com/x.awk) f',
    'curl -o /usr/local/bin/s https://example.com/s && s',
    'uv run https://example.com/x.py',
  ])('%s is run', (line) => {
    expect(effects(line, 'execute')).toContainEqual(expect.objectContaining({ from: 'network' }));
  });

  test('unpacking a here-string yields unknown text', () => {
    expect(effects('bash <<< "$(gunzip -c x.gz)"', 'execute')).toMatchObject([{ from: 'unknown' }]);
  });
});

test('an installed file gets its permissions', () => {
  expect(effects('install -m 4755 sh /opt/x', 'permission')).toMatchObject([
    { mode: '4755', path: '/opt/x' },
  ]);
  expect(lines('install -s --strip-program=./x a b')).toContain('./x');
});

test.each([
  ['xdg-open http://169.254.169.254/', '169.254.169.254'],
  ['open https://example.com', 'example.com'],
])('%s goes to %s', (line, host) => {
  expect(effects(line, 'network')).toMatchObject([{ host }]);
});

test.each([
  ['unheard-of projects delete x', true],
  ['unheard-of rds DeleteInstance --id x', true],
  ['unheard-of projects list', false],
  ['./delete.sh drop', false],
])('an undescribed program: %s', (line, destructive) => {
  expect(effects(line, 'resource').some((effect) => effect.destructive)).toBe(destructive);
});

test.each([
  ['xargs rm', true],
  ['echo "$X" | xargs rm', true],
  ['ls | head -1 | xargs rm', false],
  ['find . -name x | xargs rm', false],
  ['printf a | xargs rm', false],
])('the input of %s is unknown: %s', (line, unseen) => {
  expect(effects(line, 'system').some(({ action }) => action === 'unseen-input')).toBe(unseen);
});
