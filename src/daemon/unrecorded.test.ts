import { expect, test } from 'vitest';
import { beforeTool, call } from '../../test/support/store/store.ts';
import type { CallRecord } from '../model/recording.ts';
import { allow, deny } from '../model/responses.ts';
import { openUnrecordedQueue } from './unrecorded.ts';

/** A disk that can be filled and freed. */
function disk(mostCharacters?: number) {
  const stored: CallRecord[] = [];
  const said: string[] = [];
  let full = false;
  const commit = (record: CallRecord) => {
    if (full) throw Object.assign(new Error('database or disk is full'), { rawCode: 13 });
    stored.push(record);
    return true;
  };
  const unrecorded = openUnrecordedQueue({
    commit,
    commitSoon: async (record) => commit(record),
    began: () => said.push('began'),
    ended: (count) => said.push(`ended: ${count}`),
    ...(mostCharacters === undefined ? {} : { mostCharacters }),
  });
  return {
    unrecorded,
    stored,
    said,
    fill: (value: boolean) => {
      full = value;
    },
  };
}

const denied = () => call(beforeTool('npm publish'), { response: deny('Not from here.') });
const allowed = () => call(beforeTool('ls'), { response: allow() });

test('a denial stands without a record and is recorded once there is room', async () => {
  const { unrecorded, stored, said, fill } = disk();
  fill(true);
  const records = [denied(), denied(), denied()];
  for (const record of records) expect(await unrecorded.commit(record)).toBe(false);
  expect(unrecorded.count()).toEqual({ waiting: 3, dropped: 0 });
  unrecorded.retry();
  expect(stored).toEqual([]);
  fill(false);
  unrecorded.retry();
  expect(stored).toEqual(records);
  expect(said).toEqual(['began', 'ended: 3']);
  expect(unrecorded.count()).toEqual({ waiting: 0, dropped: 0 });
  unrecorded.retry();
  expect(stored).toHaveLength(3);
});

test("doesn't send any other decision, and its record says so", async () => {
  const { unrecorded, stored, fill } = disk();
  fill(true);
  await expect(unrecorded.commit(allowed())).rejects.toThrow('full');
  fill(false);
  unrecorded.retry();
  expect(stored).toMatchObject([
    { degraded: [{ effect: 'allow', reason: expect.stringContaining('full') }] },
  ]);
});

test('an invalid record is not reported as a disk problem', async () => {
  const broken = openUnrecordedQueue({
    commit: () => false,
    commitSoon: async () => Promise.reject(new Error('no such column')),
    began: () => {},
    ended: () => {},
  });
  await expect(broken.commit(denied())).rejects.toThrow('no such column');
  expect(broken.count()).toEqual({ waiting: 0, dropped: 0 });
});

test('recording queued calls frees space for others, even if the disk fills up again', async () => {
  const { unrecorded, stored, fill } = disk(JSON.stringify(denied()).length * 2.5);
  fill(true);
  for (let at = 0; at < 2; at += 1) await unrecorded.commit(denied());
  const { push } = stored;
  stored.push = (record) => {
    fill(true);
    return push.call(stored, record);
  };
  fill(false);
  unrecorded.retry();
  expect(unrecorded.count()).toEqual({ waiting: 1, dropped: 0 });
  await unrecorded.commit(denied());
  expect(unrecorded.count()).toEqual({ waiting: 2, dropped: 0 });
});

test("limits memory and counts what doesn't fit", async () => {
  const { unrecorded, fill } = disk(JSON.stringify(denied()).length * 2.5);
  fill(true);
  for (let at = 0; at < 5; at += 1) await unrecorded.commit(denied());
  expect(unrecorded.count()).toEqual({ waiting: 2, dropped: 3 });
});

test("a call that can't be stored at all doesn't delay the others and is counted", async () => {
  const { unrecorded, stored, said, fill } = disk();
  fill(true);
  for (let at = 0; at < 2; at += 1) await unrecorded.commit(denied());
  const { push } = stored;
  stored.push = (record) => {
    stored.push = push;
    throw new Error(`no such column in ${record.event.id}`);
  };
  fill(false);
  unrecorded.retry();
  expect(stored).toHaveLength(1);
  expect(unrecorded.count()).toEqual({ waiting: 0, dropped: 1 });
  expect(said).toEqual(['began', 'ended: 1']);
});
