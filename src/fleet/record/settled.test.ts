import { expect, test } from 'vitest';
import type { Cursor, CursorFile } from './cursor.ts';
import { openSettled, type StreamState } from './settled.ts';

const cursor = (sequence: number): Cursor => ({
  stream: 'test',
  machine: 'one',
  link: sequence,
  hash: '',
  checkpoint: 0,
  sequence,
});

function settling() {
  const written: Cursor[] = [];
  const file: CursorFile = { read: () => null, write: (one) => void written.push(one) };
  let time = 0;
  const settled = openSettled(file, () => time);
  return {
    settled,
    written,
    /** True if it is in doubt after this many seconds, when the server reports this leader and this last message. */
    after(seconds: number, confirmed: number, leader: string | null, last = confirmed): Promise<boolean> {
      time += seconds * 1_000;
      const cluster = leader === null ? {} : { cluster: { name: 'test', leader } };
      const answer = { ...cluster, state: { last_seq: last } } as StreamState;
      return settled.isInDoubt(cursor(confirmed), () => Promise.resolve(answer));
    },
  };
}

test('a confirmed record is settled after a minute with the same leader, and then saved', async () => {
  const { settled, written, after } = settling();
  settled.begin(cursor(0), 'red');
  expect(await after(60, 10, 'red')).toBe(false);
  expect(settled.cursor).toEqual(cursor(0));
  expect(await after(45, 20, 'red')).toBe(false);
  expect(settled.cursor).toEqual(cursor(0));
  expect(await after(15, 30, 'red')).toBe(false);
  expect(settled.cursor).toEqual(cursor(10));
  expect(written).toEqual([cursor(0), cursor(10)]);
});

test('another leader raises doubt and settles nothing', async () => {
  const { settled, after } = settling();
  settled.begin(cursor(0), 'red');
  expect(await after(120, 10, 'green')).toBe(true);
  expect(settled.cursor).toBeNull();
});

test('a stream that ends before the confirmed record raises doubt, also without a cluster', async () => {
  const { settled, after } = settling();
  settled.begin(cursor(0), null);
  expect(await after(15, 10, null)).toBe(false);
  expect(await after(15, 10, null, 9)).toBe(true);
});

test('queries the server every 15 seconds, but not about settled records', async () => {
  const { settled } = settling();
  const ask = () => Promise.reject(new Error('asked'));
  settled.begin(cursor(0), null);
  expect(await settled.isInDoubt(cursor(1), ask)).toBe(false);
});
