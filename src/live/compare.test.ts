import { expect, test } from 'vitest';
import { compareFields, compareWith } from './compare.ts';

const CONTRACT = {
  id: 'string',
  'model?': 'string',
  place: 'object',
  'place.cwd': 'string',
  'edits[].path': 'string',
  edits: 'array',
};
const SAME = { id: 'string', place: 'object', 'place.cwd': 'string', edits: 'array' };

test('payloads as measured have no differences, with or without optional fields', () => {
  expect(compareFields(CONTRACT, SAME)).toEqual([]);
  expect(compareFields(CONTRACT, { ...SAME, model: 'string', 'edits[].path': 'string' })).toEqual([]);
});

test('reports a new field once, without its nested fields', () => {
  const seen = { ...SAME, 'usage?': 'object', 'usage.tokens': 'number', 'place.branch': 'string' };
  expect(compareFields(CONTRACT, seen)).toEqual([
    { kind: 'new field', path: 'usage', expected: 'no such field', seen: 'object' },
    { kind: 'new field', path: 'place.branch', expected: 'no such field', seen: 'string' },
  ]);
});

test('ignores values that the model made up', () => {
  expect(compareFields({ args: 'object' }, { args: 'object', 'args.command': 'string' })).toEqual([]);
});

test('reports a field that is missing, or missing sometimes', () => {
  const { id: _, ...rest } = SAME;
  const missing = [{ kind: 'missing field', path: 'id', expected: 'string', seen: 'not there' }];
  expect(compareFields(CONTRACT, rest)).toEqual(missing);
  expect(compareFields(CONTRACT, { ...rest, 'id?': 'string' })).toEqual(missing);
});

test('does not report the fields of a missing object', () => {
  expect(compareFields(CONTRACT, { id: 'string', edits: 'array' })).toEqual([
    { kind: 'missing field', path: 'place', expected: 'object', seen: 'not there' },
  ]);
  // An empty list has no objects whose fields could be missing.
  expect(compareFields({ edits: 'array', 'edits[].path': 'string' }, { edits: 'array' })).toEqual([]);
  expect(
    compareFields({ edits: 'array', 'edits[].path': 'string' }, { edits: 'array', 'edits[].file': 'string' }),
  ).toMatchObject([
    { kind: 'new field', path: 'edits[].file' },
    { kind: 'missing field', path: 'edits[].path' },
  ]);
});

test('reports another type, but not one of the known types', () => {
  expect(compareFields({ code: 'null|number' }, { code: 'number' })).toEqual([]);
  expect(compareFields({ code: 'number' }, { code: 'number|string' })).toEqual([
    { kind: 'other type', path: 'code', expected: 'number', seen: 'number|string' },
  ]);
});

const called = (tool: string | null, native: object, nativeEvent = 'Called') => ({
  nativeEvent,
  tool,
  input: undefined,
  native,
});

test('compares common fields for a tool that was not measured', () => {
  const contract = {
    'Called Run': { id: 'string', out: 'string' },
    'Called Read': { id: 'string', out: 'object', 'out.text': 'string' },
  };
  const fine = called('Write', { id: 'a', out: { bytes: 1 } });
  expect(compareWith(contract, [fine])).toEqual(new Map([['Called', []]]));
  const odd = called('Write', { id: 1, out: 'x', how: 'y' });
  expect(compareWith(contract, [odd]).get('Called')).toMatchObject([
    { kind: 'new field', path: 'how' },
    { kind: 'other type', path: 'id' },
  ]);
});

test('reports an event that was never measured as new', () => {
  const differences = compareWith({ Called: { id: 'string' } }, [called(null, { id: 'a' }, 'Invented')]);
  expect(differences.get('Invented')).toMatchObject([{ kind: 'new event' }]);
});

test('reports the same difference of several tools once', () => {
  const contract = { 'Called Run': { id: 'string' }, 'Called Read': { id: 'string' } };
  const payloads = ['Run', 'Read'].map((tool) => called(tool, { id: 'a', effort: 'high' }));
  expect(compareWith(contract, payloads).get('Called')).toHaveLength(1);
});
