import { expect, test } from 'vitest';
import type { StoredReport } from '../../../live/stored-reports.ts';
import { versionFinding } from './version.ts';

const AGENT = { id: 'example', label: 'Example', testedVersion: '1.2.0' };
const kept = (version: string | null, state: 'holds' | 'changed' | 'broken' = 'holds'): StoredReport => ({
  agent: 'example',
  label: 'Example',
  version,
  rows: [{ kind: 'effect', name: 'deny', state, expected: '', seen: '' }],
  tookMs: 1,
  checkedAt: Date.parse('2026-11-03T12:00:00Z'),
});

test('a version that was verified here is as good as one that was measured', () => {
  expect(versionFinding(AGENT, { version: '1.3.0' }, kept('1.3.0'))).toMatchObject({
    level: 'ok',
    message: expect.stringMatching(/^Example 1\.3\.0, checked 2026-11-03$/),
  });
  expect(versionFinding(AGENT, { version: '1.3.0' }, kept('1.3.0', 'changed'))).toMatchObject({
    level: 'ok',
  });
});

test('after an update there is a note that says how to verify it again', () => {
  const fix = expect.stringContaining('Run `hookline doctor --live example`.');
  const message = expect.stringMatching(
    /^Checked with 1\.1\.0 on 2026-11-03; you now run Example 1\.\d\.0\.$/,
  );
  expect(versionFinding(AGENT, { version: '1.2.0' }, kept('1.1.0'))).toMatchObject({
    level: 'limit',
    message,
    fix,
  });
  expect(versionFinding(AGENT, { version: '1.3.0' }, kept('1.1.0'))).toMatchObject({
    level: 'warning',
    message,
    fix,
  });
});

test('what was found not to work is a problem as long as that version is installed', () => {
  expect(versionFinding(AGENT, { version: '1.3.0' }, kept('1.3.0', 'broken'))).toMatchObject({
    level: 'problem',
    code: 'live-broken',
    message: expect.stringContaining('deny'),
  });
  expect(versionFinding(AGENT, { version: '1.4.0' }, kept('1.3.0', 'broken'))).toMatchObject({
    level: 'warning',
    message: 'Not working with 1.3.0 on 2026-11-03; you now run Example 1.4.0.',
  });
});

test('a report in which no effect was tried verifies nothing', () => {
  const [row] = kept('1.3.0').rows;
  for (const rows of [
    [],
    row ? [{ ...row, kind: 'payload' as const }] : [],
    row ? [{ ...row, state: 'untried' as const }] : [],
  ])
    expect(versionFinding(AGENT, { version: '1.3.0' }, { ...kept('1.3.0'), rows })).toMatchObject({
      code: 'version-untested',
    });
});

test('where nothing was verified, a measured version needs no word and another one a hint', () => {
  expect(versionFinding(AGENT, { version: '1.2.0' }, null)).toEqual({
    level: 'ok',
    code: 'version',
    message: 'Example 1.2.0',
    fix: null,
  });
  expect(versionFinding(AGENT, { version: '1.3.0' }, null)).toMatchObject({
    level: 'warning',
    code: 'version-untested',
    fix: expect.stringContaining('`hookline doctor --live example`'),
  });
  const part = { ...AGENT, testedPart: 'its library' };
  expect(versionFinding(part, { version: '9.0.0' }, null)).toMatchObject({
    level: 'limit',
    code: 'client-unmeasured',
  });
});

test('of a client that tells no version, what was found last is still shown', () => {
  const silent = { version: null, problem: 'SyntaxError: no such export' };
  expect(versionFinding(AGENT, silent, kept(null, 'broken'))).toMatchObject({
    level: 'problem',
    message: 'Not working with Example (checked 2026-11-03): deny.',
  });
  const seen = 'Example does not start: exit 1: SyntaxError: no such export';
  const start = { kind: 'run', name: 'start', state: 'broken', expected: 'Example starts', seen } as const;
  expect(versionFinding(AGENT, silent, { ...kept(null), rows: [start] })).toMatchObject({
    level: 'problem',
    code: 'live-broken',
    message: `${seen} (checked 2026-11-03)`,
    fix: 'Make sure it starts, then run `hookline doctor --live example`.',
  });
});

test("explains why an agent's version is unknown", () => {
  const problem = 'SyntaxError: no such export';
  const is = `Example doesn't report its version (\`--version\` fails: ${problem})`;
  expect(versionFinding(AGENT, { version: null, problem }, null)).toMatchObject({
    level: 'warning',
    message: `${is}; Hookline was tested with 1.2.0.`,
    fix: expect.stringContaining('Make sure Example starts.'),
  });
  expect(versionFinding(AGENT, { version: null, problem }, kept('1.1.0')).message).toBe(
    `Checked with 1.1.0 on 2026-11-03; now ${is}.`,
  );
});
