import { createPublicKey, type KeyObject } from 'node:crypto';
import { sha256 } from '../platform/sha256.ts';

/** Who a machine is in a fleet. */
export interface Machine {
  /** Derived from its key, so that only the owner of the key can use it. */
  readonly id: string;
  /** For people; not unique. */
  readonly name: string;
  /** In base64 (DER), with which its signatures are checked. */
  readonly publicKey: string;
}

/** The key that signs a home's record is its identity. */
export function machineOf(publicKey: KeyObject, name: string): Machine {
  const bytes = publicKey.export({ type: 'spki', format: 'der' });
  return { id: machineIdOf(bytes), name, publicKey: bytes.toString('base64') };
}

/** 128 bits of the hash of its key: too many to make another key with the same ID. */
export function machineIdOf(publicKey: Uint8Array): string {
  return sha256(publicKey).slice(0, 32);
}

/** Of the name of a machine. */
export const LONGEST_NAME = 64;

/** As people read it: enough to tell machines apart. */
export function shortMachineId(id: string): string {
  return id.slice(0, 8);
}

export function isMachineId(text: string): boolean {
  return /^[\da-f]{32}$/.test(text);
}

/** The key that a machine sent, in base64; null where the machine's id is not made of it. */
export function keyOfMachine(id: string, publicKey: string): KeyObject | null {
  const bytes = Buffer.from(publicKey, 'base64');
  return machineIdOf(bytes) === id ? machineKeyIn(bytes) : null;
}

/** Null for anything but an Ed25519 key, which machines have: other kinds take long to check a signature, or throw. */
export function machineKeyIn(bytes: Buffer): KeyObject | null {
  try {
    const key = createPublicKey({ key: bytes, type: 'spki', format: 'der' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}
