import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact } from './redact.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const filler = (length: number) => letters.repeat(4).slice(0, length);

test.each([
  ['anthropic key', `sk-ant-${filler(40)}`],
  ['openai key', `sk-proj-${filler(40)}`],
  ['github token', `ghp_${filler(36)}`],
  ['aws key id', `AKIA${filler(62).toUpperCase().slice(0, 16)}`],
  ['slack token', `xoxb-${filler(24)}`],
  ['jwt', `eyJ${filler(20)}.eyJ${filler(20)}.${filler(20)}`],
])('redacts a %s', (_, secret) => {
  const text = JSON.stringify({ command: `curl -H "X: ${secret}" https://example.com` });
  expect(redact(text)).not.toContain(secret);
  expect(JSON.parse(redact(text))).toHaveProperty('command');
});

test('redacts values by name, whatever they look like', () => {
  expect(redact('DB_PASSWORD=hunter22 npm test')).toBe('DB_PASSWORD=[redacted] npm test');
  expect(redact(JSON.stringify({ a: '{"password": "hunter22"}' }))).not.toContain('hunter22');
  expect(redact('Authorization: Bearer abc.def')).toBe('Authorization: Bearer [redacted]');
  expect(redact('postgres://app:hunter2@db/x')).toBe('postgres://app:[redacted]@db/x');
});

test('redacts a whole private key, even if it is cut off', () => {
  const block = '-----BEGIN RSA PRIVATE KEY-----\nabc\ndef\n-----END RSA PRIVATE KEY-----';
  expect(redact(JSON.stringify({ a: block, b: 1 }))).toBe('{"a":"[redacted:private-key]","b":1}');
  expect(redact(JSON.stringify({ a: block.slice(0, 45), b: 1 }))).toBe(
    '{"a":"[redacted:private-key]","b":1}',
  );
});

test.each([
  'commit 3f786850e387550fdab836ed7e6dc881de23001b',
  '123e4567-e89b-42d3-a456-426614174000',
  'src/auth/password.ts',
  'git commit -m "explain the secret handshake"',
  'export TOKEN=$GITHUB_TOKEN; curl -H "Authorization: Bearer $TOKEN" x',
])('keeps %s unchanged', (text) => {
  expect(redact(text)).toBe(text);
});

test.each([
  ['{"a":{"password":null}}', '{"a":{"password":null}}'],
  ['{"api_key":1234567}', '{"api_key":0}'],
  ['{"a":[{"secret":false}],"b":1}', '{"a":[{"secret":false}],"b":1}'],
  ['{"password":{"min":8}}', '{"password":{"min":8}}'],
])('%s becomes %s', (text, safe) => {
  expect(redact(text)).toBe(safe);
});

test('redacted JSON stays valid JSON', () => {
  const named = fc.dictionary(
    fc.constantFrom('password', 'api_key', 'x_secret', 'authToken'),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), named, fc.array(named)), fc.string(), (value, extra) => {
      const text = JSON.stringify({ value, note: `password=${extra} Authorization: Bearer ${extra}` });
      expect(() => JSON.parse(redact(text))).not.toThrow();
    }),
  );
});

test('a table may follow on the line of its header', () => {
  expect(redact('Done: | user | password |\n|--|--|\n| bob | correcthorse |')).not.toContain('correcthorse');
  expect(redact('Here they are: name,password\nbob,correcthorse')).not.toContain('correcthorse');
});
