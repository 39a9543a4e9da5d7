import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { findingLines, findingsLine } from './lines.ts';

test('a problem has its code, to be found on the page about it', () => {
  const lines = (level: 'problem' | 'ok') =>
    findingLines({ level, code: 'disk', message: "Can't write.", fix: null }).map(stripVTControlCharacters);
  expect(lines('problem')).toEqual(["  ✗ Can't write. disk"]);
  expect(lines('ok')).toEqual(["  ✓ Can't write."]);
});

test('an agent that is not set up, or has not loaded us, is not said to be guarded', () => {
  const finding = (code: string) => ({ level: 'warning', code, message: '', fix: null }) as const;
  expect(findingsLine([finding('version-untested')])).toBe('No problems found; 1 warning.');
  expect(findingsLine([finding('not-set-up')])).toBe('Some installed agents are not guarded; 1 warning.');
  expect(findingsLine([finding('not-seen')])).toBe('Some installed agents are not guarded; 1 warning.');
});
