import { expect, test, vi } from 'vitest';
import { stopClock } from '../../test/support/clock.ts';
import { atMostEvery } from './at-most-every.ts';

test('draws 200 events per second 10 times, and the last event in the last drawing', async () => {
  const clock = stopClock();
  const drawn: number[] = [];
  let events = 0;
  const drawing = atMostEvery(100, () => drawn.push(events));
  for (events = 1; events <= 200; events += 1) {
    drawing.soon();
    await clock.advance(5);
  }
  events = 200;
  await clock.advance(1_000);
  expect(drawn).toHaveLength(10);
  expect(drawn.at(-1)).toBe(200);
});

test('does nothing after it was closed', async () => {
  const clock = stopClock();
  const work = vi.fn();
  const drawing = atMostEvery(100, work);
  drawing.soon();
  drawing.close();
  await clock.advance(1_000);
  expect(work).not.toHaveBeenCalled();
});
