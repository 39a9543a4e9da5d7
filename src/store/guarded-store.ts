import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../model/errors.ts';
import { type Link, type LinkedRow, lastLink, type MachineSigner } from './chain/chain.ts';
import { type ChainHead, openChainHead } from './chain/head.ts';
import { createRecentRecords, lengthOf, type RecentRecords } from './chain/recent-records.ts';
import { checkpointedNow, leaveCheckpoints } from './checkpointed.ts';
import { type Checkpoints, openCheckpoints } from './checkpoints.ts';
import type { Database } from './database/driver.ts';
import { type Durability, setDurability } from './database/durability.ts';
import { closeStore } from './database/open.ts';
import { restoreSchema, restoreVersion } from './database/schema.ts';
import { type FileGuard, type GuardedDatabase, guardDatabase } from './guarded-database.ts';
import { changedTrouble, replacedTrouble, type StoreAlert, schemaTrouble } from './repair/alerts.ts';
import { damageIn } from './repair/damage.ts';
import { type DatabaseFiles, type ExternalChange, watchDatabaseFiles } from './repair/database-files.ts';
import { openRepaired } from './repair/open-repaired.ts';
import { rebuild } from './repair/rebuild.ts';

interface GuardedStoreOptions {
  readonly path: string;
  /** File that notes the newest place in the chain. */
  readonly headPath: string;
  readonly signer: MachineSigner;
  /** Something happened to the files. */
  tell(trouble: StoreAlert): void;
  /** Script of the thread that runs checkpoints. */
  readonly checkpointScript?: URL;
}

/** The store of a process that keeps running whatever happens to its files. */
export interface GuardedStore {
  readonly db: Database;
  /** Changes whenever a new database replaces the previous one. */
  generation(): number;
  /** Called after each transaction of the recorder, before answers are sent. */
  written(records: readonly LinkedRow[]): void;
  /** Applies to replacement databases too. */
  setDurability(durability: Durability): void;
  /** Records were deleted on purpose and must not be written again. */
  deleted(): void;
  /** Called now and then, to notice changes while nothing is written. */
  look(): void;
  close(): void;
}

/** Opens the store, or a new one next to an unusable one. */
export function openGuardedStore(options: GuardedStoreOptions): GuardedStore {
  const { path, headPath, signer, tell } = options;
  const noted = openChainHead(headPath);
  const guard = new StoreGuard(options, openRepaired({ path, noted: noted.read(), signer, tell }));
  return {
    db: guard.db,
    generation: () => guard.generation,
    written(records) {
      if (records.length > 0) note(noted, guard.add(records));
    },
    setDurability: (wanted) => guard.setDurability(wanted),
    deleted: () => guard.recent.clear(),
    look: () => guard.before(),
    close() {
      guard.stop();
      try {
        closeStore(guard.db);
      } catch (error) {
        // If the directory is gone, nothing is restored; only the files are closed.
        if (guard.hasFolder()) throw error;
        guard.db.raw().close();
      }
      guard.close();
      noted.close();
    },
  };
}

/** Knows what the database should contain, and replaces one that lacks it. */
class StoreGuard implements FileGuard {
  readonly db: GuardedDatabase;
  readonly recent: RecentRecords = createRecentRecords();
  generation = 1;
  readonly #options: GuardedStoreOptions;
  #head: Link;
  #files: DatabaseFiles;
  #foreign: ForeignWrites;
  #checkpoints: Checkpoints;
  #durability: Durability = 'process';
  /** Another process wrote to the files, but the last check was too recent. */
  #unexamined = false;

  constructor(options: GuardedStoreOptions, first: Database) {
    this.#options = options;
    this.#head = lastLink(first);
    this.#foreign = foreignWrites(first);
    this.#files = watchDatabaseFiles(options.path);
    this.#checkpoints = this.#openCheckpoints(first);
    this.db = guardDatabase(first, this);
  }

  #openCheckpoints(db: Database): Checkpoints {
    const { path, checkpointScript: script } = this.#options;
    leaveCheckpoints(db);
    return openCheckpoints({
      path,
      script,
      here: () => checkpointedNow(this.db),
      begins: () => this.#files.begins(),
      isOpen: () => this.#files.isOpen(),
      ended: (writes) => this.#files.ended(writes),
    });
  }

  /** Adds what was stored. Returns the newest place. */
  add(records: readonly LinkedRow[]): Link {
    this.recent.add(records);
    const { link, hash } = records.at(-1) ?? this.#head;
    this.#head = { link, hash };
    this.#checkpoints.written(pagesOf(records));
    return this.#head;
  }

  setDurability(wanted: Durability): void {
    this.#durability = wanted;
    setDurability(this.db, wanted);
  }

  before(): void {
    this.#respond(this.#files.look());
  }

  after(): boolean {
    return this.#respond(this.#files.note());
  }

  failed(error: unknown): boolean {
    this.#replace(`cannot be read: ${messageOf(error)}`, false);
    return true;
  }

  stop(): void {
    this.#checkpoints.stop();
  }

  close(): void {
    this.#files.close();
  }

  hasFolder(): boolean {
    return existsSync(dirname(this.#options.path));
  }

  /** True if the database was replaced by one that lacks some records. */
  #respond(meddling: ExternalChange | null): boolean {
    if (meddling === 'moved') return this.#replace('was deleted or replaced by another file', true);
    if (meddling === 'changed') this.#unexamined = true;
    return this.#unexamined && this.#examine();
  }

  #examine(): boolean {
    const { path, signer, tell } = this.#options;
    const bySqlite = this.#foreign.wereMadeBySqlite();
    if (!bySqlite && !this.#foreign.isWorthALook()) return false;
    this.#unexamined = false;
    if (bySqlite) this.#restore();
    const began = performance.now();
    const damage = this.#files.hasHeader()
      ? damageIn(path, this.#head, signer.publicKey())
      : 'it does not begin as one does';
    if (damage !== null) return this.#replace(`was changed by another program: ${damage}`, false);
    this.#foreign.looked(performance.now() - began);
    this.#files.note();
    if (bySqlite) tell(changedTrouble(path));
    return false;
  }

  /** The check reports what can't be restored. */
  #restore(): void {
    const { path, tell } = this.#options;
    try {
      const restored = [...restoreSchema(this.db.raw()), ...restoreVersion(this.db.raw())];
      if (restored.length > 0) tell(schemaTrouble(path, restored));
    } catch {
      // It is damaged too.
    }
  }

  #replace(why: string, intact: boolean): boolean {
    const { path, signer, tell } = this.#options;
    // A deleted home isn't recreated, and nothing is acknowledged that is in no file.
    if (!this.hasFolder()) throw new Error(`${dirname(path)} is gone`);
    const head = this.#head;
    const recent = this.recent.list();
    this.#checkpoints.stop();
    const { db, aside, complete } = rebuild({ path, old: this.db.raw(), head, recent, signer, intact });
    setDurability(db, this.#durability);
    this.db.replace(db);
    this.generation += 1;
    this.#files.close();
    this.#foreign = foreignWrites(db);
    this.#files = watchDatabaseFiles(path);
    this.#checkpoints = this.#openCheckpoints(db);
    tell(replacedTrouble({ why, aside, complete, rewritten: recent.length, of: head.link }));
    return !complete;
  }
}

const PAGE_BYTES = 4_096;
/** Pages that the calls of one turn share: those of sessions, and the ends of indexes. */
const PAGES_OF_TURN = 4;
const PAGES_OF_RECORD = 2;

function pagesOf(records: readonly LinkedRow[]): number {
  return records.reduce((pages, one) => pages + PAGES_OF_RECORD + lengthOf(one) / PAGE_BYTES, PAGES_OF_TURN);
}

/** The record itself is on disk; an outdated head only reveals less. */
function note(noted: ChainHead, head: Link): void {
  try {
    noted.write(head);
  } catch {
    // A full disk without room even for this.
  }
}

/** Ratio of the pause between checks to the time that a check took. */
const PAUSE_FACTOR = 20;

interface ForeignWrites {
  /** Some file systems report times late, so a false alarm isn't examined again and again. */
  isWorthALook(): boolean;
  looked(tookMs: number): void;
  /** True if another connection changed something; touching the files doesn't count. */
  wereMadeBySqlite(): boolean;
}

function foreignWrites(db: Database): ForeignWrites {
  const read = () => Number(db.prepare('PRAGMA data_version').get()?.data_version ?? 0);
  let version = read();
  let until = 0;
  return {
    isWorthALook: () => performance.now() >= until,
    looked: (tookMs) => {
      until = performance.now() + tookMs * PAUSE_FACTOR;
    },
    wereMadeBySqlite() {
      const before = version;
      version = read();
      return before !== version;
    },
  };
}
