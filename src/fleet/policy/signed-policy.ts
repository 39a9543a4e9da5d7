import type { FleetContext } from '../part.ts';
import { readStreamMessages } from '../record/read-stream.ts';
import { POLICY_KEY } from '../server/buckets.ts';
import type { Reader } from '../server/push-consumer.ts';
import { openPolicy } from './document.ts';
import { parsePublicKey } from './keys.ts';

/** Values searched before the last one. A higher limit would let one client keep all machines busy. */
const LOOK_BACK = 2_000;

/**
 * The newest signed policy before an unsigned value; null if the value itself is signed, or if there is none. A
 * client of the server can't sign a policy, but it can make the server overwrite one.
 */
export async function signedBefore(
  session: Reader,
  value: { readonly revision: number; string(): string },
  { settings: { policyKey, team }, names }: Pick<FleetContext, 'settings' | 'names'>,
): Promise<string | null> {
  const key = policyKey === null ? null : parsePublicKey(policyKey);
  if (key === null || 'document' in openPolicy(value.string(), key, team)) return null;
  const { policyBucket } = names;
  const range = {
    stream: `KV_${policyBucket}`,
    subject: `$KV.${policyBucket}.${POLICY_KEY}`,
    from: value.revision - LOOK_BACK,
  };
  let best: { readonly version: number; readonly text: string } | null = null;
  for await (const message of readStreamMessages(session, range)) {
    const text = message.string();
    const opened = openPolicy(text, key, team);
    if ('document' in opened && opened.document.version > (best?.version ?? 0))
      best = { version: opened.document.version, text };
  }
  return best?.text ?? null;
}
