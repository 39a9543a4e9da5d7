import { expect, test } from 'vitest';
import { begins, isLike, says } from './wildcard.ts';

test.each([
  ['s3 sync', 's3 *', true],
  ['s3', 's3 *', false],
  ['s3 sync', '*', true],
  ['', '*', true],
  ['replicas=0', '*=0', true],
  ['replicas=01', '*=0', false],
  ['put-bucket-policy', 'put-*-policy', true],
  ['put-policy', 'put-*-policy', false],
  ['aXbXc', 'a*b*c', true],
  ['ab', 'ab*b', false],
  ['a.b', 'a?b', false],
])('%s, %s: %s', (text, pattern, expected) => {
  expect(isLike(text, pattern)).toBe(expected);
});

test.each([
  ['qdisc add dev eth0', 'qdisc add', true],
  ['-s qdisc add', 'qdisc add', true],
  ['qdisc address', 'qdisc add', false],
  ['xqdisc add', 'qdisc add', false],
  ['--add-port=80/tcp', '--add', true],
  ['--address', '--add', false],
  ['--setglobalstate off', '--set*', true],
  ['--vacuum-size=1M', '--vacuum-', true],
  ['address add', 'add', true],
])('%s says %s: %s', (line, phrase, expected) => {
  expect(says(line, phrase)).toBe(expected);
});

test.each([
  ['apply', 'apply', true],
  ['apply --debug', 'apply', true],
  ['applying', 'apply', false],
  ['--debug apply', 'apply', false],
  ['set-timezone UTC', 'set-', true],
])('%s begins with %s: %s', (line, phrase, expected) => {
  expect(begins(line, phrase)).toBe(expected);
});
