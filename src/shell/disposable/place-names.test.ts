import { expect, test } from 'vitest';
import { fileOf, isHere, readAddress } from './addresses.ts';
import { isPassing } from './place-names.ts';

test.each([
  'shop_test',
  'test',
  'shop-e2e',
  'shopTest',
  'ShopTests',
  'tmp_1',
  'test2',
  'a.ci.b',
  'pg-tmp',
  'spec/x',
])('%s is disposable', (name) => {
  expect(isPassing(name)).toBe(true);
});

test.each([
  ...[
    'latest',
    'contest',
    'attestation',
    'testimonials',
    'shop',
    'shop_dev',
    'circle',
    'temperature',
    'special',
  ],
  ...[
    'shop_test_prod',
    'test-backup',
    'live_test',
    'test*',
    'test,shop',
    'test shop',
    'test/../shop',
    '',
    '$test',
  ],
])('%s is not', (name) => {
  expect(isPassing(name)).toBe(false);
});

test.each(['localhost', '127.0.0.1', '127.1.2.3', '[::1]', '/var/run/postgresql'])('%s is here', (host) => {
  expect(isHere(host)).toBe(true);
});

test.each(['localhost.acme.io', 'db', '127.0.0.1.nip.io', 'localhost,db', '10.0.0.1', ''])(
  '%s is not here',
  (host) => {
    expect(isHere(host)).toBe(false);
  },
);

test.each([
  ['postgres://u:p@localhost:5432/x?sslmode=disable', { host: 'localhost', port: '5432', name: 'x' }],
  ['postgres:///x', { host: 'localhost', port: null, name: 'x' }],
  ['jdbc:postgresql://db:1/x', { host: 'db', port: '1', name: 'x' }],
  ['mongodb://localhost,db/x', null],
  ['postgres://localhost/x?host=db', null],
  ['postgres://localhost@db/x', { host: 'db', port: null, name: 'x' }],
  ['host=db dbname=x', { host: 'db', port: null, name: 'x' }],
  ['host=localhost host=db dbname=x', null],
  ['Server=localhost,1433;Database=x;User=sa', { host: 'localhost', port: '1433', name: 'x' }],
  ['host=localhost hostaddr=10.0.0.1 dbname=x', null],
])('%s', (text, address) => {
  expect(readAddress(text)).toEqual(address);
});

test('a database file is named by its path', () => {
  expect(
    ['file:./test.db', 'sqlite:///tmp/x.db', 'sqlite://x.db?mode=rwc', 'postgres://x'].map(fileOf),
  ).toEqual(['./test.db', 'tmp/x.db', 'x.db', null]);
});
