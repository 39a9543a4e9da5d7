import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { HooklineError, messageOf } from '../../model/errors.ts';
import { readIfExists, writePrivateFile } from '../../platform/files.ts';

/** Base64 of its DER form, for copying. */
export function publicKeyText(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Null if the text isn't an Ed25519 public key. */
export function parsePublicKey(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text.trim(), 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/** Creates an administrator's key; keeps an existing one. */
export function makeAdminKey(path: string): { readonly key: KeyObject; readonly made: boolean } {
  const known = readAdminKey(path);
  if (known !== null) return { key: known, made: false };
  const { privateKey } = generateKeyPairSync('ed25519');
  writePrivateFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), { durable: true });
  return { key: privateKey, made: true };
}

/** Null if this isn't an administrator's machine. */
export function readAdminKey(path: string): KeyObject | null {
  const text = readIfExists(path);
  if (text === null) return null;
  try {
    return createPrivateKey(text);
  } catch (error) {
    throw new HooklineError('CONFIG_INVALID', `${path} is not a valid key: ${messageOf(error)}.`, {
      hint: 'Restore it from a backup, or create a new one and have every machine trust it.',
    });
  }
}
