import { expect, test } from 'vitest';
import { scratchHome } from '../../../test/support/daemon/daemon.ts';
import { beforeTool, call } from '../../../test/support/store/store.ts';
import { openHome } from '../../home/open.ts';
import { START } from '../../store/chain/chain.ts';
import { hashWholeRecord } from '../../store/chain/record-hash.ts';
import { forget } from '../../store/forget.ts';
import { EVENT_COLUMNS, type EventColumn } from '../../store/read/event-columns.ts';
import { type Machine, machineIdOf, machineOf } from '../machine.ts';
import { teamNames } from '../subjects.ts';
import { openLocalRecord } from './local-record.ts';
import { type AuditItem, readMessage, recordMessage } from './message.ts';
import { verifyMachine } from './verify.ts';

const names = teamNames('core');

/** What a machine sends after recording this many calls; `between` runs after the first half was sent. */
async function sent(
  count: number,
  from = 0,
  maxBytes = 1 << 20,
): Promise<{ machine: Machine; items: AuditItem[]; later: AuditItem[] }> {
  const home = openHome(scratchHome());
  if (home === null) throw new Error('the home is taken');
  const machine = machineOf(home.signer.publicKey(), 'tester');
  const record = openLocalRecord(home.db, machine, names);
  for (let at = 0; at < count; at += 1)
    home.recorder.commit(call(home.recorder.place(beforeTool(`ls ${at}`, null, at % 10 === 3 ? 'b' : 'a'))));
  const read = async () => {
    const records = record.after({ link: from, hash: '' }, 10_000);
    const messages = [
      ...(await Promise.all(records.map((one) => recordMessage(one, machine.id, names, maxBytes)))),
      ...record.checkpoints(from, count).map(({ message }) => message),
      ...record.gaps(from, new Set()),
    ];
    return messages.flatMap((one) => readMessage({ data: one.body }) ?? []);
  };
  const items = await read();
  forget(home.db, { session: 'b' }, home.signer);
  const later = await read();
  home.close();
  return { machine, items, later };
}

test('verifies a complete history, in any order', async () => {
  const { machine, items } = await sent(150);
  const report = verifyMachine(machine.id, items.toReversed());
  expect(report).toMatchObject({ records: 150, deleted: 0, signedTo: 128, lastLink: 150, problems: [] });
});

test('reports two homes that send as one machine', async () => {
  const { machine, items } = await sent(10);
  const { items: copy } = await sent(12);
  const added = copy.filter((item) => item.kind === 'record' && item.link > 7);
  const { problems } = verifyMachine(machine.id, [...items, ...added]);
  expect(problems.map(({ message }) => message)).toContain(
    'Two homes send as this machine: from link 8 on, their histories differ.',
  );
});

test('verifies a history that starts midway', async () => {
  const { machine, items } = await sent(150, 40);
  expect(verifyMachine(machine.id, items)).toMatchObject({ records: 110, signedTo: 128, problems: [] });
});

test('reports deliberate deletions, before and after sending', async () => {
  const { machine, items, later } = await sent(150);
  expect(verifyMachine(machine.id, later)).toMatchObject({ records: 135, deleted: 15, problems: [] });
  const gaps = later.filter(({ kind }) => kind === 'gap');
  expect(verifyMachine(machine.id, [...items, ...gaps])).toMatchObject({
    records: 135,
    deleted: 15,
    deletedThere: 15,
    problems: [],
  });
});

test("detects a changed record, a missing one, and another machine's signature", async () => {
  const { machine, items } = await sent(150);
  const changed = items.map((item) =>
    item.kind === 'record' && item.link === 7
      ? { ...item, values: item.values.map((value) => (value === 'none' ? 'allow' : value)) }
      : item,
  );
  expect(verifyMachine(machine.id, changed).problems).toMatchObject([{ link: 7 }]);
  const missing = items.filter((item) => item.kind !== 'record' || item.link !== 9);
  expect(verifyMachine(machine.id, missing).problems).toMatchObject([{ link: 9 }]);
  const other = await sent(150);
  const forged = [
    ...items.filter(({ kind }) => kind === 'record'),
    ...other.items.filter(({ kind }) => kind === 'checkpoint'),
    ...items.filter((item) => item.kind === 'checkpoint' && item.link === 64),
  ];
  expect(
    verifyMachine(machine.id, forged)
      .problems.map(({ message }) => message)
      .join(),
  ).toContain('was not made with this key');
});

type RecordItem = AuditItem & { kind: 'record' };

/** All items, with one record changed. */
function withRecord(
  items: readonly AuditItem[],
  link: number,
  change: (record: RecordItem) => Partial<RecordItem>,
) {
  return items.map((item) =>
    item.kind === 'record' && item.link === link ? { ...item, ...change(item) } : item,
  );
}

const at = (column: EventColumn) => EVENT_COLUMNS.indexOf(column);

test('verifies a record without its largest parts by their hashes', async () => {
  const { machine, items } = await sent(70, 0, 1_000);
  const [record] = items.filter((item) => item.kind === 'record');
  expect(record?.leftOut).toEqual(['event']);
  expect(record?.values[at('event')]).toBeNull();
  const report = verifyMachine(machine.id, items);
  expect(report).toMatchObject({ records: 70, abridged: 70, unverifiable: [], problems: [] });
  for (const change of [
    ({ values }: RecordItem) => ({ values: values.with(at('decision'), 'allow') }),
    ({ values }: RecordItem) => ({ values: values.with(at('event'), '{"another":"event"}') }),
    ({ parts }: RecordItem) => ({ parts: { ...parts, event: '0'.repeat(64) } }),
    ({ leftOut, parts, values }: RecordItem) => ({
      leftOut: [...leftOut, 'decision'],
      parts: { ...parts, decision: 'x' },
      values: values.with(at('decision'), null),
    }),
    () => ({ leftOut: [], parts: {} }),
  ]) {
    const { problems } = verifyMachine(machine.id, withRecord(items, 5, change));
    expect(problems).toMatchObject([{ link: 5, message: expect.stringContaining('not what was recorded') }]);
  }
});

test("doesn't excuse a record that only claims to lack a part", async () => {
  const { machine, items } = await sent(70);
  const claimed = withRecord(items, 5, ({ values }) => ({
    leftOut: ['native'],
    values: values.with(at('native'), null).with(at('decision'), 'allow'),
  }));
  expect(verifyMachine(machine.id, claimed)).toMatchObject({ abridged: 0, unverifiable: [5] });
  const kept = withRecord(items, 5, ({ values }) => ({
    leftOut: ['native'],
    values: values.with(at('decision'), 'allow'),
  }));
  expect(verifyMachine(machine.id, kept).problems).toMatchObject([{ link: 5 }]);
});

test("doesn't excuse a record that was deleted on the machine either", async () => {
  const { machine, items, later } = await sent(150);
  const gaps = later.filter(({ kind }) => kind === 'gap');
  const claimed = withRecord(items, 4, ({ values }) => ({
    before: null,
    values: values.with(at('decision'), 'allow'),
  }));
  expect(verifyMachine(machine.id, [...claimed, ...gaps])).toMatchObject({
    deletedThere: 15,
    unverifiable: [4],
  });
});

test('verifies a record of 0.1.0, and reports one without a part as unverified', async () => {
  const { items } = await sent(3);
  let before = START.hash;
  const old = items.flatMap((item) => {
    if (item.kind !== 'record') return [];
    const record = { ...item, before, hash: hashWholeRecord(before, item.values) };
    before = record.hash;
    return [record];
  });
  expect(verifyMachine('0'.repeat(32), old)).toMatchObject({ records: 3, unverifiable: [], problems: [] });
  const abridged = await Promise.all(
    old.map((record) => recordMessage(record, '0'.repeat(32), names, 1_000)),
  );
  const read = abridged.flatMap(({ body }) => readMessage({ data: body }) ?? []);
  expect(read.map(({ leftOut }) => leftOut.length)).toEqual([1, 1, 1]);
  expect(verifyMachine('0'.repeat(32), read)).toMatchObject({ unverifiable: [1, 2, 3], problems: [] });
});

test('records whose signatures were removed are unverified', async () => {
  const { machine, items } = await sent(150);
  const records = items.filter(({ kind }) => kind === 'record');
  expect(verifyMachine(machine.id, records).problems).toMatchObject([{ link: 64 }, { link: 128 }]);
  const first = (await sent(10)).items.filter(({ kind }) => kind === 'record');
  expect(verifyMachine('0'.repeat(32), first).problems).toEqual([]);
  const changed = first.map((item) =>
    item.kind === 'record' && item.link === 7 ? { ...item, values: [...item.values.slice(1), 'x'] } : item,
  );
  expect(verifyMachine('0'.repeat(32), changed).problems).toMatchObject([{ link: 7 }]);
});

test("a gap that the machine hasn't signed excuses nothing", async () => {
  const { machine, items } = await sent(150);
  const made = { kind: 'gap', first: 1, last: Number.MAX_SAFE_INTEGER, hash: '', at: 1 } as const;
  const forged = {
    ...made,
    reason: 'lost',
    signature: 'AAAA',
    publicKey: null,
    leftOut: [],
    parts: {},
    before: null,
  };
  const report = verifyMachine(machine.id, [...items, forged]);
  expect(report).toMatchObject({ records: 150, lost: 0, signedTo: 128, deletedThere: 0 });
  expect(report.problems).toMatchObject([
    { link: 1, message: expect.stringContaining('not by this machine') },
  ]);
});

test('stops following made-up links', async () => {
  const { machine, items } = await sent(70);
  const [record] = items.filter(({ kind }) => kind === 'record');
  if (record?.kind !== 'record') throw new Error('there is none');
  for (const link of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
    const { problems } = verifyMachine(machine.id, [...items, { ...record, link }]);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThan(1_100);
  }
});

test("ignores an invalid key that is published under a machine's ID", () => {
  const bytes = Buffer.from('no key');
  const made = {
    kind: 'checkpoint',
    link: 1,
    hash: '',
    at: 1,
    signature: '',
    leftOut: [],
    parts: {},
    before: null,
  } as const;
  const { problems } = verifyMachine(machineIdOf(bytes), [{ ...made, publicKey: bytes.toString('base64') }]);
  expect(problems).toMatchObject([{ link: 1 }]);
});
