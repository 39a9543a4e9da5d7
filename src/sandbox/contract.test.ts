import { expect, test } from 'vitest';
import { contractOf } from './contract.ts';

const call = (native: object, input: unknown = undefined, tool: string | null = null) => ({
  nativeEvent: 'Called',
  tool,
  input,
  native,
});

test('a field missing in some payloads is optional, and a field may have several types', () => {
  const payloads = [call({ id: 'a', code: 1, cwd: '/' }), call({ id: 'b', code: null })];
  expect(contractOf(payloads)).toEqual({ Called: { id: 'string', code: 'null|number', 'cwd?': 'string' } });
});

test('fields of nested objects and lists have a path', () => {
  const payload = call({ place: { cwd: '/' }, edits: [{ path: 'a', line: 1 }, { path: 'b' }], none: [] });
  expect(contractOf([payload])).toEqual({
    Called: {
      place: 'object',
      'place.cwd': 'string',
      edits: 'array',
      'edits[].path': 'string',
      'edits[].line?': 'number',
      none: 'array',
    },
  });
});

test('each tool has separate fields', () => {
  const payloads = [call({ out: 'x' }, undefined, 'Run'), call({ file: {} }, undefined, 'Read')];
  expect(contractOf(payloads)).toEqual({
    'Called Read': { file: 'object' },
    'Called Run': { out: 'string' },
  });
});

test('tool arguments are not part of the format, even where they are repeated', () => {
  const run = { command: 'ls' };
  const payloads = [
    call({ args: run, result: { code: 0 } }, run, 'Run'),
    // A result equal to the arguments is still a result.
    call({ args: { text: 'a' }, result: { text: 'a' } }, { text: 'a' }, 'Echo'),
    { ...call({ calls: [{ args: { path: 'x' } }] }), nativeEvent: 'Batch' },
  ];
  expect(contractOf(payloads)).toEqual({
    Batch: { calls: 'array', 'calls[].args': 'object' },
    'Called Echo': { args: 'object', result: 'object', 'result.text': 'string' },
    'Called Run': { args: 'object', result: 'object', 'result.code': 'number' },
  });
});
