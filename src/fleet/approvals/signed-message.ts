import * as v from 'valibot';
import { isSignedBy, type MachineSigner } from '../../store/chain/chain.ts';
import { keyOfMachine } from '../machine.ts';

const envelope = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ key: v.string(), body: v.string(), signature: v.string() }),
);

/** A machine may have signed a body that isn't JSON. */
const bodyJson = v.pipe(v.string(), v.parseJson());

/** Signs a message for one subject; under another subject it is invalid. */
export function signMessage(signer: MachineSigner, subject: string, body: unknown): string {
  const text = JSON.stringify(body);
  const key = signer.publicKey().export({ type: 'spki', format: 'der' }).toString('base64');
  return JSON.stringify({ key, body: text, signature: signer.sign(signedText(subject, text)) });
}

/** The message of machine `from` on this subject; null if another machine signed it. */
export function readSignedMessage(
  from: string,
  subject: string,
  text: string,
): { readonly body: unknown } | null {
  const parsed = v.safeParse(envelope, text);
  if (!parsed.success) return null;
  const { key, body, signature } = parsed.output;
  const known = keyOfMachine(from, key);
  if (known === null || !isSignedBy(known, signedText(subject, body), signature)) return null;
  const said = v.safeParse(bodyJson, body);
  return said.success ? { body: said.output } : null;
}

/** No other signed text of a machine begins like this, so no other signature is valid here. */
const signedText = (subject: string, body: string) => `hookline message 1\n${subject}\n${body}`;
