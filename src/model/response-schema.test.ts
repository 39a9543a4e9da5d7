import * as v from 'valibot';
import { expect, test } from 'vitest';
import { givenResponse, storedResponse } from './response-schema.ts';

const full = {
  decision: 'deny',
  reason: 'No.',
  modifyArgs: { a: 1 },
  grants: [{ behavior: 'allow', tool: 'Bash', pattern: null, scope: 'session' }],
  toolConfig: { mode: 'ANY', allowedFunctionNames: ['f'] },
  env: { A: 'b' },
  native: { agent: { key: 1 } },
};

test('both read what a response can have', () => {
  expect(v.parse(givenResponse, full)).toEqual(full);
  expect(v.parse(storedResponse, full)).toEqual(full);
});

test('rejects a misspelled key in an answer, and ignores one that was stored', () => {
  const [grant] = full.grants;
  const odd = { ...full, reasn: 'No.', grants: [{ ...grant, scop: 'user' }], toolConfig: { mod: 'ANY' } };
  expect(v.is(givenResponse, { ...full, reasn: 'No.' })).toBe(false);
  expect(v.is(givenResponse, { ...full, grants: odd.grants })).toBe(false);
  expect(v.is(givenResponse, { ...full, toolConfig: odd.toolConfig })).toBe(false);
  expect(v.parse(storedResponse, odd)).toEqual({ ...full, toolConfig: {} });
});

test('no decision stays no decision, but is not stored alone', () => {
  expect(v.parse(givenResponse, { context: 'Mind the gap.' })).toEqual({
    decision: 'none',
    context: 'Mind the gap.',
  });
  expect(v.is(storedResponse, { context: 'Mind the gap.' })).toBe(false);
});
