import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { beforeTool, call, scratchPath } from '../../test/support/store/store.ts';
import { verifyChain } from '../store/chain/verify-chain.ts';
import { openStore } from '../store/database/open.ts';
import { forget } from '../store/forget.ts';
import { createRecorder } from '../store/record/recorder.ts';
import { auditLines, readAudit } from './audit.ts';

const keys = generateKeyPairSync('ed25519');
const signer = { sign: (text: string) => sign(null, Buffer.from(text), keys.privateKey).toString('base64') };

test('a range can be checked without the store, and control characters keep their hash', () => {
  const text = exported(20, 90);
  expect(text).toMatch(/^[\n\x20-\x7e]+$/);
  expect(checked(text)).toEqual({
    records: 70,
    deleted: 1,
    lost: 0,
    cut: 0,
    lastLink: 90,
    signedTo: 64,
    unverifiable: [],
    problems: [],
  });
});

test('detects a changed, removed or added line', () => {
  const lines = exported(1, 10).split('\n');
  const without = lines.filter((_, at) => at !== 4).join('\n');
  expect(checked(without).problems).toMatchObject([{ link: 4, what: 'missing' }]);
  const changed = lines.join('\n').replace('"echo 6', '"echo 7');
  expect(changed).not.toBe(lines.join('\n'));
  expect(checked(changed.replace('echo 6', 'echo 0')).problems).toMatchObject([{ link: 6, what: 'changed' }]);
  expect(checked([...lines.slice(0, 4), ...lines.slice(3)].join('\n')).problems[0]).toMatchObject({
    link: 3,
    what: 'out-of-order',
  });
});

test('a signature moved behind the next record confirms nothing', () => {
  const lines = exported(1, 70).split('\n');
  const at = lines.findIndex((line) => line.includes('"kind":"checkpoint"'));
  const [signature = '', next = ''] = lines.slice(at, at + 2);
  expect(signature).toContain('"link":64');
  lines.splice(at, 2, next, signature);
  expect(checked(lines.join('\n')).problems).toMatchObject([
    { link: 64, what: 'out-of-order' },
    { link: 64, what: 'checkpoint-missing' },
  ]);
});

test('a range starts after an existing link', () => {
  expect(() => exported(500, 600)).toThrow('There is no link 499');
});

test.each(['', 'hello', '{"kind":"record"}'])('%j is not an export', (text) => {
  expect(() => readAudit(text)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

/** A hundred records, of which the thirtieth was forgotten. */
function exported(first: number, last: number): string {
  const db = openStore(scratchPath());
  onTestFinished(() => db.close());
  const recorder = createRecorder(db, { redact: (text) => text, signer });
  for (let at = 1; at <= 100; at += 1) {
    const session = at === 30 ? 'gone' : 's1';
    const command = `echo ${at} \u202e\u001b[31m é \u{1F600}`;
    recorder.commit(call(recorder.place(beforeTool(command, null, session))));
  }
  forget(db, { session: 'gone' }, signer);
  return [...auditLines(db, { first, last }, keys.publicKey)].join('\n');
}

function checked(text: string) {
  const { after, key, items } = readAudit(text);
  return verifyChain(items, after, key);
}
