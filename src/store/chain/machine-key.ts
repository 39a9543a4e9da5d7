import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { HooklineError, messageOf } from '../../model/errors.ts';
import type { Log } from '../../model/log.ts';
import { readIfExists } from '../../platform/files.ts';
import type { MachineSigner } from './chain.ts';

interface KeyPath {
  readonly machineKey: string;
}

/**
 * Signs what this machine records, with a key created on first use. A broken key must not stop calls from being
 * checked and recorded. An unreadable key is set aside, and its signatures then count as those of a stranger.
 */
export function machineSigner({ machineKey }: KeyPath, log: Log): MachineSigner {
  const key = readKey(machineKey, log) ?? newKey(machineKey, log);
  return {
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
    publicKey: () => createPublicKey(key),
  };
}

/** Verifies the history of this machine. */
export function machinePublicKey({ machineKey }: KeyPath): KeyObject {
  const key = publicKeyIn(machineKey);
  if (key === null) throw new HooklineError('NOT_FOUND', 'Nothing was recorded and signed here yet.');
  return key;
}

function publicKeyIn(path: string): KeyObject | null {
  try {
    const text = readIfExists(path);
    return text === null ? null : createPublicKey(text);
  } catch (error) {
    throw new HooklineError('NOT_FOUND', `${path} is not a key: ${messageOf(error)}.`, {
      hint: 'Put the key back, from a backup. What was signed with it cannot be checked without it.',
    });
  }
}

function readKey(path: string, log: Log): KeyObject | null {
  try {
    const text = readIfExists(path);
    return text === null ? null : createPrivateKey(text);
  } catch (error) {
    log('error', `${path} cannot be read (${messageOf(error)}): the record is signed with a new key`);
    return null;
  }
}

function newKey(path: string, log: Log): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    if (readIfExists(path) !== null) renameSync(path, `${path}.unreadable`);
    writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    log('error', `the key that signs the record was not written: ${messageOf(error)}`);
  }
  return privateKey;
}
