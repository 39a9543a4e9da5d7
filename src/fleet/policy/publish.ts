import { createPublicKey, type KeyObject } from 'node:crypto';
import type { KV } from '@nats-io/kv';
import { HooklineError, messageOf } from '../../model/errors.ts';
import { POLICY_KEY } from '../server/buckets.ts';
import { problemWith } from './check.ts';
import { openPolicy, type PolicyDocument, signPolicy } from './document.ts';

/** A team's policies signed by a key, as stored on the server. */
interface PublishedPolicies {
  /** The newest first. */
  readonly documents: readonly PolicyDocument[];
  /** Revision of the current value, signed or not. */
  readonly revision: number;
}

/** Reads the published policies. Skips values that others wrote. */
async function readPublished(bucket: KV, key: KeyObject, team: string): Promise<PublishedPolicies> {
  const documents: PolicyDocument[] = [];
  let revision = 0;
  for await (const entry of await bucket.history({ key: POLICY_KEY })) {
    revision = Math.max(revision, entry.revision);
    const opened = openPolicy(entry.operation === 'PUT' ? entry.string() : '', createPublicKey(key), team);
    if ('document' in opened) documents.push(opened.document);
  }
  return { documents: documents.sort((a, b) => b.version - a.version), revision };
}

interface Publication {
  readonly bucket: KV;
  readonly key: KeyObject;
  readonly team: string;
  /** A version known to be in use. */
  readonly after: number;
  /** The newest one signed by this key, as known locally: the server may have lost it, or hide it. */
  readonly newest: PolicyDocument | null;
  /** Documents: newest first. */
  change(documents: readonly PolicyDocument[]): Pick<PolicyDocument, 'sets' | 'restores'>;
}

/** Signs a new version and publishes it for all machines. Publishes nothing that they would reject. */
export async function publishPolicy({
  bucket,
  key,
  team,
  after,
  newest,
  change,
}: Publication): Promise<PolicyDocument> {
  const { documents: found, revision } = await readPublished(bucket, key, team);
  // A change applies to the newest rules, not to an older version that the server shows.
  const isBehind = newest !== null && newest.version > (found[0]?.version ?? 0);
  const documents = isBehind ? [newest, ...found] : found;
  const version = Math.max(after, documents[0]?.version ?? 0) + 1;
  const document: PolicyDocument = {
    team,
    version,
    createdAt: new Date().toISOString(),
    ...change(documents),
  };
  const problem = await problemWith(document);
  if (problem !== null)
    throw new HooklineError('CONFIG_INVALID', `The policy was not published: ${problem}.`, {
      hint: 'Fix the file. `hookline rules test` runs the tests in rules.',
    });
  try {
    await bucket.put(POLICY_KEY, signPolicy(document, key), { previousSeq: revision });
  } catch (error) {
    throw new HooklineError('FLEET_UNREACHABLE', `The policy was not published: ${messageOf(error)}.`, {
      cause: error,
      hint: /sequence/i.test(messageOf(error))
        ? 'Someone else just published. Check `hookline fleet policy`, and try again.'
        : "Check that your login may write it, and that the rules fit the server's message limit (1 MB).",
    });
  }
  return document;
}
