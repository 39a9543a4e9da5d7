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

test('what was measured has no differences, with or without optional fields', () => {
  expect(compareFields(CONTRACT, SAME)).toEqual([]);
  expect(compareFields(CONTRACT, { ...SAME, model: 'string', 'edits[].path': 'string' })).toEqual([]);
});

test('a new field is named once, not with each of its own fields', () => {
  const seen = { ...SAME, 'usage?': 'object', 'usage.tokens': 'number', 'place.branch': 'string' };
  expect(compareFields(CONTRACT, seen)).toEqual([
    { kind: 'new field', path: 'usage', expected: 'no such field', seen: 'object' },
    { kind: 'new field', path: 'place.branch', expected: 'no such field', seen: 'string' },
  ]);
});

test('what the model made up is not compared', () => {
  expect(compareFields({ args: 'object' }, { args: 'object', 'args.command': 'string' })).toEqual([]);
});

test('a field that is not there, or not always, is missing', () => {
  const { id: _, ...rest } = SAME;
  const missing = [{ kind: 'missing field', path: 'id', expected: 'string', seen: 'not there' }];
  expect(compareFields(CONTRACT, rest)).toEqual(missing);
  expect(compareFields(CONTRACT, { ...rest, 'id?': 'string' })).toEqual(missing);
});

test('the fields of what is not there are not missing as well', () => {
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

test('another type is a difference, one of the known types is not', () => {
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

test('of a tool that was not measured, what all calls have is compared', () => {
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

test('an event that was never measured is new', () => {
  const differences = compareWith({ Called: { id: 'string' } }, [called(null, { id: 'a' }, 'Invented')]);
  expect(differences.get('Invented')).toMatchObject([{ kind: 'new event' }]);
});

test('the same difference of several tools is told once', () => {
  const contract = { 'Called Run': { id: 'string' }, 'Called Read': { id: 'string' } };
  const payloads = ['Run', 'Read'].map((tool) => called(tool, { id: 'a', effort: 'high' }));
  expect(compareWith(contract, payloads).get('Called')).toHaveLength(1);
});
