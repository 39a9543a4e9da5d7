import { expect, test } from 'vitest';
import { messageOf } from './errors.ts';

test('describes a connection problem in words', () => {
  const unknown = new Error('getaddrinfo ENOTFOUND nats.example.com');
  expect(messageOf(unknown)).toBe('unknown host nats.example.com');
  expect(messageOf(new AggregateError([unknown, new Error('another')]))).toBe(messageOf(unknown));
  expect(messageOf(new AggregateError([unknown], 'all of them'))).toBe('all of them');
});
