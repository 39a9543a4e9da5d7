import { expect, test } from 'vitest';
import { parseDatabase } from './address.ts';

const parse = (url: string, plaintext = false) => parseDatabase(url, { plaintext, authority: null });

test('an address contains host, user and database, and its display has no password', () => {
  expect(parse('postgres://maya:p%40ss%2Fword@db.example.com:6432/team%20record')).toEqual({
    host: 'db.example.com',
    port: 6432,
    database: 'team record',
    user: 'maya',
    password: 'p@ss/word',
    tls: { authority: null },
    shown: 'postgres://maya@db.example.com:6432/team record',
  });
  expect(parse('postgresql://localhost/a')).toMatchObject({ port: 5432, user: null, password: null });
  expect(parse('postgres:///a?host=/run/postgresql')).toMatchObject({ host: '/run/postgresql', tls: null });
  expect(parse('postgres://[::1]/a')).toMatchObject({ host: '::1', tls: null });
});

test.each(['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])('%s is this machine: no TLS', (host) => {
  expect(parse(`postgres://${host}/a`).tls).toBeNull();
  expect(parse(`postgres://${host}/a?sslmode=verify-full`).tls).toEqual({ authority: null });
});

test.each(['db.example.com', '10.0.0.7', 'localhost.example.com', '127.0.0.1.example.com'])(
  '%s is another machine: TLS with a certificate for that name, whatever the address requests',
  (host) => {
    for (const mode of ['', '?sslmode=prefer', '?sslmode=allow', '?sslmode=require', '?sslmode=no-verify'])
      expect(parse(`postgres://${host}/a${mode}`).tls, mode).toEqual({ authority: null });
    expect(() => parse(`postgres://${host}/a?sslmode=disable`)).toThrow('unencrypted');
    expect(parse(`postgres://${host}/a?sslmode=disable`, true).tls).toBeNull();
    expect(parse(`postgres://${host}/a`, true).tls).toBeNull();
  },
);

test.each([
  'postgres://',
  'db.example.com/a',
  'mysql://maya:s3cret@localhost/a',
  'postgres://maya:s3cret@localhost',
  'postgres://maya:s3cret%@localhost/a',
  'postgres://maya:s3cret@local host/a',
])('%s is rejected, and not repeated', (url) => {
  expect(() => parse(url)).toThrow(/^Invalid database address: (?!.*s3cret)/);
});
