import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { machineOf } from '../machine.ts';
import { readSignedMessage, signMessage } from './signed-message.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const signer = {
  publicKey: () => publicKey,
  sign: (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64'),
};
const { id, publicKey: key } = machineOf(publicKey, 'desk');
const SUBJECT = 'hookline.core.approvals.desk.answer.laptop';

test("a signed message is read under its subject, and only as its signer's", () => {
  const text = signMessage(signer, SUBJECT, { decision: 'deny' });
  expect(readSignedMessage(id, SUBJECT, text)).toEqual({ body: { decision: 'deny' } });
  expect(readSignedMessage(id, `${SUBJECT}2`, text)).toBeNull();
  expect(readSignedMessage('0'.repeat(32), SUBJECT, text)).toBeNull();
  expect(readSignedMessage(id, SUBJECT, text.replace('deny', 'allow'))).toBeNull();
});

test.each(['no JSON', '', '{'])('a machine that signs %j instead of JSON sends nothing', (body) => {
  const signature = signer.sign(`hookline message 1\n${SUBJECT}\n${body}`);
  expect(readSignedMessage(id, SUBJECT, JSON.stringify({ key, body, signature }))).toBeNull();
});

test.each(['x25519', 'ed448'] as const)(
  "a key of another kind (%s) doesn't verify and doesn't throw",
  (kind) => {
    const other = machineOf(keyOfKind(kind), 'desk');
    const text = JSON.stringify({ key: other.publicKey, body: '{}', signature: 'AAAA' });
    expect(readSignedMessage(other.id, SUBJECT, text)).toBeNull();
  },
);

function keyOfKind(kind: 'x25519' | 'ed448'): KeyObject {
  return kind === 'x25519' ? generateKeyPairSync(kind).publicKey : generateKeyPairSync(kind).publicKey;
}
