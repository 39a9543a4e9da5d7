import { expect, test } from 'vitest';
import { createRejections } from './rejected-answers.ts';

test('records only the number of events of a flood', () => {
  let now = 0;
  const recorded: string[] = [];
  const refusals = createRejections(
    (why) => recorded.push(why),
    () => now,
  );
  for (let sent = 0; sent < 100; sent += 1) refusals.add('forged');
  expect(recorded).toHaveLength(31);
  expect(recorded.at(-1)).toBe('there are more of them in this minute, which are only counted');
  now = 60_000;
  refusals.add('late');
  expect(recorded.slice(31)).toEqual(['70 more of the minute before are not recorded one by one', 'late']);
});
