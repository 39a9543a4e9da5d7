import { expect, test } from 'vitest';
import { storedEvent } from '../../test/support/store/store.ts';
import { payloadRows } from './payload-rows.ts';

const CLIENT = {
  turnEvents: ['session_start', 'before_tool'],
  contract: { Started: { id: 'string' }, 'Calling sh': { id: 'string', args: 'object' } },
} as const;

const START = storedEvent({ type: 'session_start', nativeEvent: 'Started', native: { id: 'a' } });
const INPUT = { command: 'ls' };
const CALL = storedEvent({
  type: 'before_tool',
  nativeEvent: 'Calling',
  native: { id: 'a', args: INPUT },
  tool: { name: 'Bash', kind: 'shell', useId: null, input: INPUT, outcome: null },
  event: { tool: { nativeName: 'sh' } },
});

test('behavior as measured passes, one row per event', () => {
  expect(payloadRows(CLIENT, [START, CALL, CALL])).toMatchObject([
    { name: 'Calling', state: 'holds' },
    { name: 'Started', state: 'holds' },
  ]);
});

test('another payload shape is a change, described in words', () => {
  const other = { ...START, native: { effort: 'high' } };
  expect(payloadRows(CLIENT, [other, CALL])).toMatchObject([
    { name: 'Calling', state: 'holds' },
    { name: 'Started', state: 'changed', seen: 'new field effort (string); no id (string)' },
  ]);
});

test('an unreadable payload is broken, and so is a missing event', () => {
  const unread = storedEvent({
    type: 'unknown',
    nativeEvent: 'Calling',
    native: {},
    event: { problem: 'there is no session_id' },
  });
  expect(payloadRows(CLIENT, [START, unread])).toMatchObject([
    { name: 'before_tool', state: 'broken', seen: 'none came' },
    { name: 'Calling', state: 'broken', seen: 'there is no session_id' },
    { name: 'Started', state: 'holds' },
  ]);
});

test('an unknown event is a change', () => {
  const invented = storedEvent({
    type: 'unknown',
    nativeEvent: 'Invented',
    native: { id: 'a' },
    event: { problem: null },
  });
  expect(payloadRows(CLIENT, [START, CALL, invented])).toContainEqual({
    kind: 'payload',
    name: 'Invented',
    state: 'changed',
    expected: 'the fields that were measured',
    seen: 'an event that Hookline does not know',
  });
});
