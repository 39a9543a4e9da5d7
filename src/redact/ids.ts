import { BoundedMap } from '../platform/bounded.ts';
import { sha256 } from '../platform/sha256.ts';
import { findPrivateKeys, findPrivateMarks } from './forms/blocks.ts';
import { redactWith } from './redact.ts';
import { findSecrets } from './scan.ts';

/**
 * Excludes random texts and values of a `.env`: ids are random, and `.env` values are learned in the middle of a
 * session, whose events must keep one id.
 */
const PASSES = [findPrivateMarks, findPrivateKeys, findSecrets];

const DIGEST_CHARACTERS = 8;
const LONGEST_REMEMBERED = 120;
const redacted = new BoundedMap<string, string>(256);

/**
 * An id or a name chosen by others, without the secrets in it. The same one always becomes the same text, and different
 * ones different texts, so that related records are still found by it. One without a secret is kept unchanged.
 */
export function redactId(id: string): string {
  if (id.length > LONGEST_REMEMBERED) return withoutSecrets(id);
  let found = redacted.get(id);
  if (found === undefined) {
    found = withoutSecrets(id);
    redacted.set(id, found);
  }
  return found;
}

function withoutSecrets(id: string): string {
  const { text } = redactWith(PASSES, id);
  return text === id ? id : `${text}-${sha256(id).slice(0, DIGEST_CHARACTERS)}`;
}
