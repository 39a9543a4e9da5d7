import * as v from 'valibot';
import { isSignedBy, type MachineSigner } from '../../store/chain/chain.ts';
import { keyOfMachine } from '../machine.ts';

const envelope = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ key: v.string(), body: v.string(), signature: v.string() }),
);

/** A machine may have signed a body that is not JSON. */
const bodyJson = v.pipe(v.string(), v.parseJson());

/** What a machine says on one subject, signed: on another subject it counts for nothing. */
export function signMessage(signer: MachineSigner, subject: string, body: unknown): string {
  const text = JSON.stringify(body);
  const key = signer.publicKey().export({ type: 'spki', format: 'der' }).toString('base64');
  return JSON.stringify({ key, body: text, signature: signer.sign(signedText(subject, text)) });
}

/** What the machine `from` has said there; null where it was not that machine. */
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

/** Nothing else that a machine signs begins like this, so that no other signature counts here. */
const signedText = (subject: string, body: string) => `hookline message 1\n${subject}\n${body}`;
