import { createPublicKey, type KeyObject } from 'node:crypto';
import { sha256 } from '../platform/sha256.ts';

/** A machine's identity in a fleet. */
export interface Machine {
  /** Derived from its key, so that only the owner of the key can use it. */
  readonly id: string;
  /** For people; not unique. */
  readonly name: string;
  /** In base64 (DER), for verifying its signatures. */
  readonly publicKey: string;
}

/** The key that signs a home's history is its identity. */
export function machineOf(publicKey: KeyObject, name: string): Machine {
  const bytes = publicKey.export({ type: 'spki', format: 'der' });
  return { id: machineIdOf(bytes), name, publicKey: bytes.toString('base64') };
}

/** 128 bits of the hash of its key: too many to create another key with the same ID. */
export function machineIdOf(publicKey: Uint8Array): string {
  return sha256(publicKey).slice(0, 32);
}

/** Limit for a machine's name. */
export const LONGEST_NAME = 64;

/** Short form for display, enough to tell machines apart. */
export function shortMachineId(id: string): string {
  return id.slice(0, 8);
}

export function isMachineId(text: string): boolean {
  return /^[\da-f]{32}$/.test(text);
}

/** The key that a machine sent in base64; null if the machine's ID isn't derived from it. */
export function keyOfMachine(id: string, publicKey: string): KeyObject | null {
  const bytes = Buffer.from(publicKey, 'base64');
  return machineIdOf(bytes) === id ? machineKeyIn(bytes) : null;
}

/** Null for anything but an Ed25519 key: other kinds are slow to verify, or throw. */
export function machineKeyIn(bytes: Buffer): KeyObject | null {
  try {
    const key = createPublicKey({ key: bytes, type: 'spki', format: 'der' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}
