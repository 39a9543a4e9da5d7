import { expect, test } from 'vitest';
import { createTickets } from './tickets.ts';

const SHOWN = { id: '3fa9c2d1', hash: 'what was shown', expiresAt: 2_000_000_000_000 };

test('an answer is valid until it is used or expires', () => {
  let now = SHOWN.expiresAt - 1;
  const tickets = createTickets(() => now);
  const { allow, deny } = tickets.issue(SHOWN);
  expect(tickets.check(allow)).toEqual({ ok: true, id: SHOWN.id, decision: 'allow', hash: SHOWN.hash });
  expect(tickets.check(deny)).toMatchObject({ ok: true, decision: 'deny' });
  now = SHOWN.expiresAt;
  expect(tickets.check(allow)).toEqual({ ok: false, why: '3fa9c2d1 had expired' });
  now -= 1;
  tickets.spend(SHOWN.id);
  for (const text of [allow, deny])
    expect(tickets.check(text)).toEqual({ ok: false, why: '3fa9c2d1 was answered or ended before' });
});

test('every character of an answer is signed', () => {
  const tickets = createTickets(() => 0);
  const { allow } = tickets.issue(SHOWN);
  for (let at = 0; at < allow.length; at += 1) {
    const other = allow[at] === '1' ? '2' : '1';
    const altered = allow.slice(0, at) + other + allow.slice(at + 1);
    expect([at, tickets.check(altered).ok]).toEqual([at, false]);
  }
});

test('signs what was shown, with a new key each time', () => {
  const tickets = createTickets(() => 0);
  const first = tickets.issue(SHOWN);
  const second = tickets.issue(SHOWN);
  expect(second.allow).not.toBe(first.allow);
  expect(tickets.check(first.allow)).toEqual({ ok: false, why: 'its signature for 3fa9c2d1 is wrong' });
  expect(createTickets(() => 0).check(second.allow).ok).toBe(false);
});

test('an answer fits into a Telegram button', () => {
  const { allow } = createTickets(() => 0).issue(SHOWN);
  expect(Buffer.byteLength(allow)).toBeLessThanOrEqual(64);
});
