import { expect, onTestFinished, test } from 'vitest';
import { base, beforeTool, call, prompt, scratchPath } from '../../../test/support/store/store.ts';
import type { EventOf, HookEvent } from '../../model/events.ts';
import type { CallRecord, Recorder } from '../../model/recording.ts';
import { deny } from '../../model/responses.ts';
import { openStore } from '../database/open.ts';
import { listEvents } from '../read/queries.ts';
import { createRecorder } from './recorder.ts';

function store() {
  const db = openStore(scratchPath());
  onTestFinished(() => db.close());
  return { db, recorder: createRecorder(db, { redact: (text) => text }) };
}

function keep(recorder: Recorder, event: HookEvent, more: Partial<CallRecord> = {}): HookEvent {
  const placed = recorder.place(event);
  expect(recorder.commit(call(placed, more))).toBe(true);
  return placed;
}

const turnEnd = (): EventOf<'after_agent'> => ({
  ...base(),
  type: 'after_agent',
  prompt: 'hello',
  stopHookActive: false,
  lastAssistantMessage: null,
  backgroundTasks: [],
});
const sessionEnd = (): HookEvent => ({ ...base(), type: 'session_end', reason: 'exit' });

test('a denial that comes back as a prompt continues the turn, whatever happens in it', () => {
  const { recorder } = store();
  keep(recorder, prompt());
  expect(keep(recorder, turnEnd(), { response: deny('Run the tests.') })).toMatchObject({
    stopHookActive: false,
  });
  expect(keep(recorder, { ...prompt(), prompt: 'Run the tests.\n\nSee the log.' })).toMatchObject({
    promptNumber: 1,
    metadata: { continuation: true },
  });
  keep(recorder, beforeTool('npm test'));
  expect(keep(recorder, turnEnd())).toMatchObject({ stopHookActive: true, promptNumber: 1 });
  expect(keep(recorder, prompt())).toMatchObject({ promptNumber: 2, metadata: {} });
  expect(keep(recorder, turnEnd())).toMatchObject({ stopHookActive: false });
});

test("a person's prompt after a denial starts a new turn", () => {
  const { recorder } = store();
  keep(recorder, prompt());
  keep(recorder, turnEnd(), { response: deny('Run the tests.') });
  expect(keep(recorder, prompt())).toMatchObject({ promptNumber: 2 });
  expect(keep(recorder, { ...prompt(), prompt: 'Run the tests.' })).toMatchObject({ promptNumber: 3 });
});

test('a session that ends twice has one end, until it is resumed', () => {
  const { db, recorder } = store();
  keep(recorder, prompt());
  keep(recorder, sessionEnd());
  expect(recorder.commit(call(recorder.place(sessionEnd())))).toBe(false);
  expect(keep(recorder, prompt()).sequence).toBe(3);
  keep(recorder, sessionEnd());
  expect(listEvents(db, {}).map(({ event }) => event.type)).toEqual([
    'before_agent',
    'session_end',
    'before_agent',
    'session_end',
  ]);
});
