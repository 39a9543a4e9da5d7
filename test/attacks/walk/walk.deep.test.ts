import { expect, test } from 'vitest';
import { judged } from '../judged.ts';
import { AREAS, DAEMON, filled, linesOf, passesOf } from './lines.ts';

// An attacker who has not read the rules tries every area in many spellings. Lines that pass are listed with a reason
// in passes.txt, and the list is exact: an unlisted pass fails, and so does a listed line that no longer passes.

const decide = judged({}, { ownProcesses: () => [DAEMON] });

test.each(AREAS)('%s: passes only what is listed', (area) => {
  const passed = linesOf(area).filter((line) => decide(filled(line)) === 'none');
  expect(passed.toSorted()).toEqual(
    passesOf(area)
      .map(({ line }) => line)
      .toSorted(),
  );
});

test.each(AREAS)('%s: each line occurs once, and each pass has a reason', (area) => {
  const lines = linesOf(area);
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.length).toBeGreaterThanOrEqual(170);
  expect(passesOf(area).filter(({ reason }) => reason.trim() === '')).toEqual([]);
});

test('every pass belongs to an area', () => {
  expect(AREAS.flatMap((area) => passesOf(area))).toHaveLength(linesOf('passes').length);
});
