import { type KeyObject, verify } from 'node:crypto';
import type { Database, Row, SqlValue } from '../database/driver.ts';
import { asBytes, safeText } from '../database/safe-columns.ts';
import { hashRecord } from './record-hash.ts';

/** Signs statements about the record. A change of the database can't be signed without the key. */
export interface Signer {
  /** In base64. */
  sign(text: string): string;
}

/** One whose signatures can be checked. */
export interface MachineSigner extends Signer {
  publicKey(): KeyObject;
}

/** A place in the chain. */
export interface Link {
  readonly link: number;
  /** In hex. */
  readonly hash: string;
}

/** A record with its place. */
export interface LinkedRow extends Link {
  /** The hash that its own builds on. */
  readonly before: string;
  /** In the order of `EVENT_COLUMNS`. */
  readonly row: readonly SqlValue[];
}

/** The place before the first one. */
export const START: Link = { link: 0, hash: '0'.repeat(64) };

/** After so many links one is signed. `verify` reports a checkpoint that is missing. */
export const CHECKPOINT_EVERY = 64;

/** Gives each stored event its place. One per store and process, like the recorder that it belongs to. */
export interface Chain {
  /** At the start of a transaction: what one that failed has added does not count. */
  begin(): void;
  /** The place that a row would have. */
  next(row: readonly SqlValue[]): LinkedRow;
  /** The row is in the store; within the transaction. */
  add(link: Link): void;
  /** After the transaction. */
  commit(): void;
  /** Signs the last place, before the store is closed. */
  close(): void;
}

/** Without a signer there are hashes, but no signatures of this machine. */
export function openChain(db: Database, signer: Signer | null): Chain {
  const checkpoint = checkpointWriter(db, signer);
  const newest = db.prepare(NEWEST_EVENT);
  let committed = lastLink(db);
  let head = committed;
  return {
    begin: () => {
      // Another process may have written meanwhile, as when a daemon is replaced; what was cut off stays missed.
      const stored = linkOf(newest.get());
      head = stored.link > committed.link ? stored : committed;
    },
    next: (row) => ({
      link: head.link + 1,
      hash: hashRecord(head.hash, row),
      before: head.hash,
      row,
    }),
    add: (link) => {
      head = { link: link.link, hash: link.hash };
      if (link.link % CHECKPOINT_EVERY === 0) checkpoint(link);
    },
    commit: () => {
      committed = head;
    },
    close: () => checkpoint(committed),
  };
}

/** A place that is signed already stays as it is. */
export const INSERT_CHECKPOINT =
  'INSERT INTO chain_checkpoints (link, hash, at, signature) VALUES (?, ?, ?, ?) ON CONFLICT (link) DO NOTHING';

/** Signs a place. */
export function checkpointWriter(db: Database, signer: Signer | null): (place: Link) => void {
  const insert = db.prepare(INSERT_CHECKPOINT);
  return ({ link, hash }) => {
    if (signer === null || link === 0) return;
    const at = Date.now();
    insert.run(link, hash, at, signer.sign(checkpointText({ link, hash, at })));
  };
}

const POSSIBLE = `BETWEEN 1 AND ${Number.MAX_SAFE_INTEGER}`;

/** Ignores rows that were appended without a valid link, which would restart the chain. */
const NEWEST_EVENT = `SELECT link, ${asBytes('hash')} FROM events
  WHERE row ${POSSIBLE} AND link ${POSSIBLE} ORDER BY row DESC LIMIT 1`;
const NEWEST_GAP = `SELECT last_link AS link, ${asBytes('hash')} FROM chain_gaps
  WHERE last_link ${POSSIBLE} ORDER BY first_link DESC LIMIT 1`;

/** The newest place: of an event, or of what was deleted after it. */
export function lastLink(db: Database): Link {
  const newest = [NEWEST_EVENT, NEWEST_GAP].map((sql) => linkOf(db.prepare(sql).get()));
  return newest.reduce((last, one) => (one.link > last.link ? one : last), START);
}

function linkOf(row: Row | undefined): Link {
  const hash = safeText(row?.hash);
  return row && hash !== null ? { link: Number(row.link), hash } : START;
}

/** @param signature - in base64 */
export function isSignedBy(key: KeyObject, text: string, signature: string): boolean {
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
}

/** What is signed of a checkpoint. */
export function checkpointText({ link, hash, at }: Link & { readonly at: number }): string {
  return `hookline checkpoint 1\n${link}\n${hash}\n${at}`;
}

/** Links that are not there, and why. */
export interface Gap {
  readonly first: number;
  readonly last: number;
  /** Of the last one. */
  readonly hash: string;
  /** `forgotten`, `pruned`, or `lost` with a database that was damaged. */
  readonly reason: string;
  readonly at: number;
}

/** What is signed of a gap. */
export function gapText({ first, last, hash, reason, at }: Gap): string {
  return `hookline gap 1\n${first}\n${last}\n${hash}\n${reason}\n${at}`;
}
