import { expect, test } from 'vitest';
import { MOST_UNLOCK_MINUTES } from '../model/people/unlocked.ts';
import { createUnlock, unlockedUntil } from './unlock.ts';

test('an unlock ends on time, on request, and after an hour at the latest', () => {
  let now = 0;
  const unlock = createUnlock(() => now);
  expect(unlock.until()).toBeNull();
  unlock.open(5);
  expect(unlockedUntil(unlock)).toBe('1970-01-01T00:05:00.000Z');
  now = 5 * 60_000;
  expect(unlock.until()).toBeNull();
  unlock.open(5);
  unlock.close();
  expect(unlock.until()).toBeNull();
  expect(unlock.open(1e9)).toBe(now + MOST_UNLOCK_MINUTES * 60_000);
});

test('notifies observers of every change', () => {
  const unlock = createUnlock(() => 0);
  const heard: (string | null)[] = [];
  const stop = unlock.subscribe(() => heard.push(unlockedUntil(unlock)));
  unlock.open(1);
  unlock.close();
  stop();
  unlock.open(1);
  expect(heard).toEqual(['1970-01-01T00:01:00.000Z', null]);
});
