import { expect, test } from 'vitest';
import { findingsLine } from './lines.ts';

test('an agent that is not set up, or has not loaded us, is not said to be guarded', () => {
  const finding = (code: string) => ({ level: 'warning', code, message: '', fix: null }) as const;
  expect(findingsLine([finding('version-untested')])).toBe('No problems found; 1 warning.');
  expect(findingsLine([finding('not-set-up')])).toBe('Some installed agents are not guarded; 1 warning.');
  expect(findingsLine([finding('not-seen')])).toBe('Some installed agents are not guarded; 1 warning.');
});
