import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createBrake, MOST_UNANSWERED } from './brake.ts';

function braked({ takes = true } = {}) {
  const drained = new EventEmitter();
  let isReading = true;
  const socket = {
    writable: true,
    pause() {
      isReading = false;
    },
    resume() {
      isReading = true;
    },
    write: () => takes,
    once: (event: string, then: () => void) => drained.once(event, then),
  };
  return {
    brake: createBrake(Object(socket)),
    isReading: () => isReading,
    drain: () => drained.emit('drain'),
  };
}

test('resumes reading from a sender with too many open requests once one is answered', () => {
  const { brake, isReading } = braked();
  const answered = Array.from({ length: MOST_UNANSWERED + 1 }, () => brake.asked());
  expect(isReading()).toBe(false);
  for (const one of answered.slice(0, 2)) one();
  expect(isReading()).toBe(true);
  brake.asked();
  expect(isReading()).toBe(false);
});

test("stops reading from a sender that doesn't read its replies", () => {
  const { brake, isReading, drain } = braked({ takes: false });
  brake.send('a');
  brake.send('b');
  expect(isReading()).toBe(false);
  drain();
  expect(isReading()).toBe(true);
});

test('resumes only after both reasons to pause are gone', () => {
  const { brake, isReading, drain } = braked({ takes: false });
  brake.hold();
  brake.send('a');
  drain();
  expect(isReading()).toBe(false);
  brake.release();
  expect(isReading()).toBe(true);
});
