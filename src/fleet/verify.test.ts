import { expect, test } from 'vitest';
import { scratchHome } from '../daemon/testing.ts';
import { openHome } from '../home/open.ts';
import { forget } from '../store/forget.ts';
import { beforeTool, call } from '../store/testing.ts';
import { openLocalRecord } from './local-record.ts';
import { type Machine, machineOf } from './machine.ts';
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
