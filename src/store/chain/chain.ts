import { type KeyObject, verify } from 'node:crypto';
import type { Database, Row, SqlValue } from '../database/driver.ts';
import { asBytes, safeText } from '../database/safe-columns.ts';
import { hashRecord } from './record-hash.ts';

/** Signs statements about the history. Without the key, a change to the database can't be signed. */
export interface Signer {
  /** In base64. */
  sign(text: string): string;
}

/** A statement with a verifiable signature. */
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
  /** Hash of the previous record. */
  readonly before: string;
  /** In the order of `EVENT_COLUMNS`. */
  readonly row: readonly SqlValue[];
}

/** The place before the first one. */
export const START: Link = { link: 0, hash: '0'.repeat(64) };

/** Links between two signed checkpoints. `verify` reports a missing checkpoint. */
export const CHECKPOINT_EVERY = 64;

/** Assigns each stored event its place. One per store and process, like the recorder. */
export interface Chain {
  /** Called at the start of a transaction: discards places added by one that failed. */
  begin(): void;
  /** The place that a row would get. */
  next(row: readonly SqlValue[]): LinkedRow;
  /** Called within the transaction, once the row is stored. */
  add(link: Link): void;
  /** After the transaction. */
  commit(): void;
  /** Signs the last place. Called before the store is closed. */
  close(): void;
}

/** Without a signer there are hashes but no signatures. */
export function openChain(db: Database, signer: Signer | null): Chain {
  const checkpoint = checkpointWriter(db, signer);
  const newest = db.prepare(NEWEST_EVENT);
  let committed = lastLink(db);
  let head = committed;
  return {
    begin: () => {
      // Another process may have written in between, as when a daemon is replaced. Cut-off records stay reported as
      // missing.
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

/** Keeps an existing signature. */
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

/** Ignores rows appended without a valid link, which would restart the chain. */
const NEWEST_EVENT = `SELECT link, ${asBytes('hash')} FROM events
  WHERE row ${POSSIBLE} AND link ${POSSIBLE} ORDER BY row DESC LIMIT 1`;
const NEWEST_GAP = `SELECT last_link AS link, ${asBytes('hash')} FROM chain_gaps
  WHERE last_link ${POSSIBLE} ORDER BY first_link DESC LIMIT 1`;

/** The newest place, of an event or of a signed gap after it. */
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

/** Signed content of a checkpoint. */
export function checkpointText({ link, hash, at }: Link & { readonly at: number }): string {
  return `hookline checkpoint 1\n${link}\n${hash}\n${at}`;
}

/** Missing links, and why they are missing. */
export interface Gap {
  readonly first: number;
  readonly last: number;
  /** Of the last missing link. */
  readonly hash: string;
  /** `forgotten`, `pruned`, or `lost` in a damaged database. */
  readonly reason: string;
  readonly at: number;
}

/** Signed content of a gap. */
export function gapText({ first, last, hash, reason, at }: Gap): string {
  return `hookline gap 1\n${first}\n${last}\n${hash}\n${reason}\n${at}`;
}
