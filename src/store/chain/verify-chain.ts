import type { KeyObject } from 'node:crypto';
import { counted } from '../../model/text.ts';
import type { Database } from '../database/driver.ts';
import { type ForeignPart, foreignParts } from '../database/schema.ts';
import { CHECKPOINT_EVERY, checkpointText, gapText, isSignedBy, type Link, START } from './chain.ts';
import { type ChainItem, countOutside, hashBefore, readChain, WHOLE_CHAIN } from './read-chain.ts';
import { checkRecord } from './record-hash.ts';
import { countWrongSessions } from './verify-sessions.ts';

/** A difference between the history and what was recorded. */
interface ChainProblem {
  /** The first affected link. */
  readonly link: number;
  readonly what:
    | 'changed'
    | 'missing'
    | 'out-of-order'
    | 'gap'
    | 'checkpoint'
    | 'checkpoint-missing'
    | 'outside'
    | 'session'
    | 'schema';
  readonly message: string;
}

export interface ChainReport {
  readonly records: number;
  /** Deleted on purpose, confirmed by a signature. */
  readonly deleted: number;
  /** Lost in a damaged database, confirmed by a signature. `history recover` may bring them back. */
  readonly lost: number;
  /** Acknowledged, but beyond the end of the history: an older database was restored, or its end was cut off. */
  readonly cut: number;
  readonly lastLink: number;
  /** The last link confirmed by a signature; 0 if there is none. */
  readonly signedTo: number;
  /** Links of records that came without parts and without their hashes, so nothing confirms them. */
  readonly unverifiable: readonly number[];
  /** In chain order, so the first entry is the first broken link. */
  readonly problems: readonly ChainProblem[];
}

/**
 * Checks a chain, or a part of one that begins after a known link.
 * @param key null if unknown: nothing counts as signed then
 */
export function verifyChain(items: Iterable<ChainItem>, after: Link, key: KeyObject | null): ChainReport {
  const check = new ChainCheck(after, key);
  for (const item of items) check.take(item);
  return check.report();
}

/**
 * Checks everything in a store, including rows added outside the chain. `noted` is the newest link acknowledged
 * before the check began. `foreign` lists what differs from the schema that the migrations create.
 */
export function verifyStore(
  db: Database,
  key: KeyObject,
  noted: Link = START,
  foreign: readonly ForeignPart[] = foreignParts(db),
): ChainReport {
  const report = verifyChain(readChain(db, WHOLE_CHAIN), START, key);
  const problems = [...report.problems];
  const link = report.lastLink + 1;
  const outside = countOutside(db);
  if (outside > 0) {
    const message = `${counted(outside, 'event')} outside of the chain: Hookline did not record that.`;
    problems.push({ link, what: 'outside', message });
  }
  for (const { message } of foreign) problems.push({ link, what: 'schema', message });
  const sessions = countWrongSessions(db);
  if (sessions > 0) {
    const message = `${counted(sessions, 'session')} not as the events say: something else changed that.`;
    problems.push({ link, what: 'session', message });
  }
  const atNoted = hashBefore(db, noted.link + 1);
  if (atNoted !== null && atNoted !== noted.hash)
    problems.push({
      link: noted.link,
      what: 'changed',
      message: `Link ${noted.link} is not the one that was acknowledged.`,
    });
  if (noted.link >= link) {
    const places = noted.link === link ? `Link ${link} was` : `Links ${link} to ${noted.link} were`;
    problems.push({
      link,
      what: 'missing',
      message: `${places} recorded, and the end of the record is gone.`,
    });
  }
  return { ...report, problems, cut: Math.max(0, noted.link - report.lastLink) };
}

/** Limit for reported missing signatures. */
const MOST_MISSING = 1_000;

class ChainCheck {
  #at: Link;
  /** The first link of the gap read last. */
  #goneFrom = Number.POSITIVE_INFINITY;
  readonly #start: number;
  readonly #key: KeyObject | null;
  readonly #problems: ChainProblem[] = [];
  readonly #signed = new Set<number>();
  /** The signed content of these links is gone too. */
  readonly #lostParts: { readonly first: number; readonly last: number }[] = [];
  readonly #unverifiable: number[] = [];
  #records = 0;
  #deleted = 0;
  #lost = 0;
  #signedTo = 0;

  constructor(after: Link, key: KeyObject | null) {
    this.#at = after;
    this.#start = after.link;
    this.#key = key;
  }

  take(item: ChainItem): void {
    if (item.kind === 'record') this.#record(item);
    else if (item.kind === 'gap') this.#gap(item);
    else this.#checkpoint(item);
  }

  report(): ChainReport {
    this.#findMissingSignatures();
    return {
      records: this.#records,
      deleted: this.#deleted,
      lost: this.#lost,
      cut: 0,
      lastLink: this.#at.link,
      signedTo: this.#signedTo,
      unverifiable: this.#unverifiable,
      problems: this.#problems.sort((a, b) => a.link - b.link),
    };
  }

  /** Limited, because link numbers may be forged. */
  #findMissingSignatures(): void {
    const first = Math.floor(this.#start / CHECKPOINT_EVERY) + 1;
    let missing = 0;
    for (
      let link = first * CHECKPOINT_EVERY;
      link <= this.#at.link && missing < MOST_MISSING;
      link += CHECKPOINT_EVERY
    ) {
      const lost = this.#lostParts.find((part) => link >= part.first && link <= part.last);
      if (lost) link = Math.floor(lost.last / CHECKPOINT_EVERY) * CHECKPOINT_EVERY;
      else if (!this.#signed.has(link)) {
        missing += 1;
        this.#problem(link, 'checkpoint-missing', `The signature of link ${link} is missing.`);
      }
    }
  }

  #isSigned(text: string, signature: string): boolean {
    return this.#key !== null && isSignedBy(this.#key, text, signature);
  }

  #record(record: ChainItem & { kind: 'record' }): void {
    const { link, hash, values } = record;
    const [id] = values;
    this.#records += 1;
    const found = this.#follows(link) ? checkRecord(this.#at.hash, record) : 'right';
    if (found === 'unknown') this.#unverifiable.push(link);
    if (found === 'wrong')
      this.#problem(link, 'changed', `Link ${link} (event ${id}) is not what was recorded.`);
    this.#at = { link, hash };
    this.#goneFrom = Number.POSITIVE_INFINITY;
  }

  #gap(gap: ChainItem & { kind: 'gap' }): void {
    const { first, last, hash, signature } = gap;
    const places = `Links ${first} to ${last}`;
    if (!this.#isSigned(gapText(gap), signature))
      this.#problem(
        first,
        'gap',
        `${places} were deleted, and no valid signature says that this was on purpose.`,
      );
    this.#follows(first);
    if (gap.reason === 'lost') {
      this.#lost += last - first + 1;
      this.#lostParts.push({ first, last });
    } else this.#deleted += last - first + 1;
    this.#at = { link: last, hash };
    this.#goneFrom = first;
  }

  #checkpoint(checkpoint: ChainItem & { kind: 'checkpoint' }): void {
    const { link, hash, signature } = checkpoint;
    if (link > this.#at.link) this.#follows(link + 1);
    // Its record was already read, so it would never be compared.
    if (link < this.#at.link && link < this.#goneFrom) {
      const message = `The signature of link ${link} comes after link ${this.#at.link}.`;
      this.#problem(link, 'out-of-order', message);
      return;
    }
    this.#signed.add(link);
    if (!this.#isSigned(checkpointText(checkpoint), signature))
      this.#problem(link, 'checkpoint', `The signature of link ${link} is not one of this key.`);
    // A checkpoint inside a gap confirms deleted records.
    else if (link === this.#at.link && hash !== this.#at.hash)
      this.#problem(link, 'checkpoint', `The records up to link ${link} are not those that were signed.`);
    else this.#signedTo = link;
    if (link > this.#at.link) this.#at = { link, hash };
  }

  /** True if this is the next link. Otherwise reports what is missing. */
  #follows(link: number): boolean {
    const expected = this.#at.link + 1;
    if (link === expected) return true;
    if (link < expected)
      this.#problem(link, 'out-of-order', `Link ${link} comes again, after link ${expected - 1}.`);
    else {
      const places = link - expected === 1 ? `Link ${expected} is` : `Links ${expected} to ${link - 1} are`;
      this.#problem(expected, 'missing', `${places} missing, and nothing says that this was on purpose.`);
    }
    return false;
  }

  #problem(link: number, what: ChainProblem['what'], message: string): void {
    this.#problems.push({ link, what, message });
  }
}
