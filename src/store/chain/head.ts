import { closeSync, fchmodSync, openSync, readSync, renameSync, statSync, writeSync } from 'node:fs';
import type { Link } from './chain.ts';

/**
 * Stores the newest place of the chain in a file next to the database. SQLite treats a damaged log as one that ends
 * earlier, so the database still looks consistent. Only this file shows that more was acknowledged.
 */
export interface ChainHead {
  /** Null if nothing was noted yet or the note can't be read. */
  read(): Link | null;
  /** Called after the transaction, before the answer is sent. */
  write(link: Link): void;
  close(): void;
}

const SLOT_BYTES = 128;
const SLOTS = 2;

/** Alternates between two slots, so a partial write leaves the other one intact. */
export function openChainHead(path: string): ChainHead {
  // A broken file here must not stop calls from being recorded.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) renameSync(path, `${path}.unreadable`);
  closeSync(openSync(path, 'a', 0o600));
  const file = openSync(path, 'r+');
  fchmodSync(file, 0o600);
  const slot = Buffer.alloc(SLOT_BYTES);
  let turn = 0;
  return {
    read: () => newestIn(file),
    write: (link) => {
      turn = (turn + 1) % SLOTS;
      slot.write(slotText(link), 'latin1');
      writeSync(file, slot, 0, SLOT_BYTES, turn * SLOT_BYTES);
    },
    close: () => closeSync(file),
  };
}

/** Reads the noted head without changes. */
export function readChainHead(path: string): Link | null {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
  const file = openSync(path, 'r');
  try {
    return newestIn(file);
  } finally {
    closeSync(file);
  }
}

function newestIn(file: number): Link | null {
  const bytes = Buffer.alloc(SLOTS * SLOT_BYTES);
  readSync(file, bytes, 0, bytes.length, 0);
  const text = bytes.toString('latin1');
  const slots = [text.slice(0, SLOT_BYTES), text.slice(SLOT_BYTES)].flatMap((slot) => readSlot(slot) ?? []);
  return slots.reduce<Link | null>((newest, one) => (newest && newest.link > one.link ? newest : one), null);
}

function slotText({ link, hash }: Link): string {
  const text = `${link} ${hash}`;
  return `${text} ${checksum(text)}`.padEnd(SLOT_BYTES - 1).concat('\n');
}

function readSlot(slot: string): Link | null {
  const [link = '', hash = '', sum] = slot.trim().split(' ');
  if (!/^\d{1,15}$/.test(link) || !/^[0-9a-f]{64}$/.test(hash)) return null;
  return sum === checksum(`${link} ${hash}`) ? { link: Number(link), hash } : null;
}

/** FNV-1a: written with every call, and only has to detect disk errors. */
function checksum(text: string): string {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 0).toString(16);
}
