import { messageOf } from '../model/errors.ts';
import { type Link, type LinkedRow, lastLink, type MachineSigner } from './chain.ts';
import { type ChainHead, openChainHead } from './chain-head.ts';
import { type DatabaseFiles, type Meddling, watchDatabaseFiles } from './database-files.ts';
import type { Database } from './driver.ts';
import { type Durability, setDurability } from './durability.ts';
import { guardDatabase } from './guarded-database.ts';
import { closeStore } from './open.ts';
import { openSound } from './open-sound.ts';
import { rebuild } from './rebuild.ts';
import { createRecentRecords } from './recent-records.ts';
import { damageIn } from './sound.ts';
import { changedTrouble, replacedTrouble, type StoreTrouble } from './trouble.ts';

interface GuardedStoreOptions {
  readonly path: string;
  /** Where the newest place in the chain is noted. */
  readonly headPath: string;
  readonly signer: MachineSigner;
  /** Something happened to the files. */
  tell(trouble: StoreTrouble): void;
}

/** The store of a process that runs on, whatever happens to its files. */
export interface GuardedStore {
  readonly db: Database;
  /** After each transaction of the recorder, before anybody is answered. */
  written(records: readonly LinkedRow[]): void;
  /** Also of each database that takes its place. */
  setDurability(durability: Durability): void;
  /** Records were deleted on purpose, and must not be written again. */
  deleted(): void;
  /** Once in a while: nothing is written while nothing happens. */
  look(): void;
  close(): void;
}

/** Opens the store as it is, or a new one beside what cannot be used. */
export function openGuardedStore({ path, headPath, signer, tell }: GuardedStoreOptions): GuardedStore {
  const noted = openChainHead(headPath);
  const recent = createRecentRecords();
  let head: Link;
  let files: DatabaseFiles;
  let foreign: ForeignWrites;
  let durability: Durability = 'process';
  const watch = (opened: Database) => {
    foreign = foreignWrites(opened);
    files = watchDatabaseFiles(path);
  };

  /** True where the new database does not have everything. */
  const replace = (why: string, intact: boolean): boolean => {
    const rows = recent.list();
    const rebuilt = rebuild({ path, old: db.raw(), head, recent: rows, signer, intact });
    const { aside, complete } = rebuilt;
    setDurability(rebuilt.db, durability);
    db.replace(rebuilt.db);
    files.close();
    watch(rebuilt.db);
    tell(replacedTrouble({ why, aside, complete, rewritten: rows.length, of: head.link }));
    return !complete;
  };
  const meet = (meddling: Meddling | null): boolean => {
    if (meddling === 'moved') return replace('was deleted or replaced by another file', true);
    return meddling === 'changed' && examine();
  };
  const examine = (): boolean => {
    const bySqlite = foreign.wereMadeBySqlite();
    if (!bySqlite && !foreign.isWorthALook()) return false;
    const began = performance.now();
    const damage = files.hasHeader()
      ? damageIn(path, head, signer.publicKey())
      : 'it does not begin as one does';
    if (damage !== null) return replace(`was changed by another program: ${damage}`, false);
    foreign.looked(performance.now() - began);
    files.note();
    if (bySqlite) tell(changedTrouble(path));
    return false;
  };

  const first = openSound({ path, noted: noted.read(), signer, tell });
  const db = guardDatabase(first, {
    before: () => void meet(files.look()),
    after: () => meet(files.note()),
    failed: (error) => {
      replace(`cannot be read: ${messageOf(error)}`, false);
      return true;
    },
  });
  head = lastLink(first);
  watch(first);

  return {
    db,
    written(records) {
      const newest = records.at(-1);
      if (newest === undefined) return;
      recent.add(records);
      head = { link: newest.link, hash: newest.hash };
      note(noted, head);
    },
    setDurability(wanted) {
      durability = wanted;
      setDurability(db, durability);
    },
    deleted: recent.clear,
    look: () => void meet(files.look()),
    close() {
      closeStore(db);
      files.close();
      noted.close();
    },
  };
}

/** The record itself is on disk: a head that is behind only tells less. */
function note(noted: ChainHead, head: Link): void {
  try {
    noted.write(head);
  } catch {
    // A full disk, where even this does not fit any more.
  }
}

/** Time spent on looking, in relation to the time between looks. */
const PAUSE_FACTOR = 20;

interface ForeignWrites {
  /** Some file systems tell times late: what turned out to be nothing is not looked into again and again. */
  isWorthALook(): boolean;
  looked(tookMs: number): void;
  /** True where another connection changed something; who only touches the files does not count. */
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
