import { expect, test } from 'vitest';
import { scratchHome } from '../daemon/testing.ts';
import { openHome } from '../home/open.ts';
import { forget } from '../store/forget.ts';
import { beforeTool, call } from '../store/testing.ts';
import { openLocalRecord } from './local-record.ts';
import { type Machine, machineIdOf, machineOf } from './machine.ts';
import { type AuditItem, readMessage, recordMessage } from './message.ts';
import { teamNames } from './subjects.ts';
import { verifyMachine } from './verify.ts';

const names = teamNames('core');

/** What a machine sends that has recorded so many calls; `between` happens after the first half was sent. */
async function sent(
  count: number,
  from = 0,
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
      ...(await Promise.all(records.map((one) => recordMessage(one, machine.id, names, 1 << 20)))),
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

test('a whole record is proven, in whatever order it comes', async () => {
  const { machine, items } = await sent(150);
  const report = verifyMachine(machine.id, items.toReversed());
  expect(report).toMatchObject({ records: 150, deleted: 0, signedTo: 128, lastLink: 150, problems: [] });
});

test('one that begins in the middle, too', async () => {
  const { machine, items } = await sent(150, 40);
  expect(verifyMachine(machine.id, items)).toMatchObject({ records: 110, signedTo: 128, problems: [] });
});

test('what was deleted on purpose is said, before and after it was sent', async () => {
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

test('a changed record, a missing one, and another machine’s signature are found', async () => {
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
  ).toContain('not one of this key');
});

test('a record without its largest parts is proven by those around it', async () => {
  const { machine, items } = await sent(70);
  const abridged = items.map((item) =>
    item.kind === 'record' && item.link === 5
      ? {
          ...item,
          isAbridged: true,
          leftOut: ['native'],
          values: item.values.map((_, at) => (at === 26 ? null : (item.values[at] ?? null))),
        }
      : item,
  );
  expect(verifyMachine(machine.id, abridged).problems).toEqual([]);
});

test('records whose signatures were taken away are not proven', async () => {
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

test('a gap that the machine has not signed takes nothing out of its record', async () => {
  const { machine, items } = await sent(150);
  const made = { kind: 'gap', first: 1, last: Number.MAX_SAFE_INTEGER, hash: '', at: 1 } as const;
  const forged = { ...made, reason: 'lost', signature: 'AAAA', publicKey: null, leftOut: [], before: null };
  const report = verifyMachine(machine.id, [...items, forged]);
  expect(report).toMatchObject({ records: 150, lost: 0, signedTo: 128, deletedThere: 0 });
  expect(report.problems).toMatchObject([
    { link: 1, message: expect.stringContaining('not by this machine') },
  ]);
});

test('links that are made up end somewhere', async () => {
  const { machine, items } = await sent(70);
  const [record] = items.filter(({ kind }) => kind === 'record');
  if (record?.kind !== 'record') throw new Error('there is none');
  for (const link of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
    const { problems } = verifyMachine(machine.id, [...items, { ...record, link }]);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThan(1_100);
  }
});

test('what is no key, under the id that it would have, proves nothing and stops nothing', () => {
  const bytes = Buffer.from('no key');
  const made = {
    kind: 'checkpoint',
    link: 1,
    hash: '',
    at: 1,
    signature: '',
    leftOut: [],
    before: null,
  } as const;
  const { problems } = verifyMachine(machineIdOf(bytes), [{ ...made, publicKey: bytes.toString('base64') }]);
  expect(problems).toMatchObject([{ link: 1 }]);
});
