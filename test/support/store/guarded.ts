import { generateKeyPairSync, sign } from 'node:crypto';
import { closeSync, cpSync, openSync, readdirSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { redact } from '../../../src/redact/redact.ts';
import type { MachineSigner } from '../../../src/store/chain/chain.ts';
import { verifyStore } from '../../../src/store/chain/verify-chain.ts';
import { type GuardedStore, openGuardedStore } from '../../../src/store/guarded-store.ts';
import { listEvents } from '../../../src/store/read/queries.ts';
import { createRecorder, type StoreRecorder } from '../../../src/store/record/recorder.ts';
import type { StoreAlert } from '../../../src/store/repair/alerts.ts';
import { scratchFolder } from '../scratch.ts';
import { beforeTool, call } from './store.ts';

const keys = generateKeyPairSync('ed25519');

export const TEST_SIGNER: MachineSigner = {
  sign: (text) => sign(null, Buffer.from(text), keys.privateKey).toString('base64'),
  publicKey: () => keys.publicKey,
};

/** A guarded store with a recorder, as a home has it. */
export interface Recording {
  readonly path: string;
  readonly store: GuardedStore;
  readonly recorder: StoreRecorder;
  readonly told: StoreAlert[];
  /** Records so many calls; gives their ids once they are acknowledged. */
  record(count: number, command?: string): readonly string[];
  ids(): readonly string[];
  /** What `history verify` would say. */
  problems(): readonly string[];
}

export function openRecording(path: string): Recording {
  const told: StoreAlert[] = [];
  const headPath = join(dirname(path), 'chain-head');
  const store = openGuardedStore({ path, headPath, signer: TEST_SIGNER, tell: (one) => told.push(one) });
  const { db, written } = store;
  const recorder = createRecorder(db, { redact, signer: TEST_SIGNER, written });
  return {
    path,
    store,
    recorder,
    told,
    record: (count, command = 'ls folder') =>
      Array.from({ length: count }, (_, at) => {
        const event = recorder.place(beforeTool(`${command}-${at}`));
        recorder.commit(call(event));
        return event.id;
      }),
    ids: () => listEvents(db).map(({ id }) => id),
    problems: () => verifyStore(db, keys.publicKey).problems.map(({ message }) => message),
  };
}

/** The files of a database as a crash leaves them: copied while it is open. */
export function crashed(path: string): string {
  const folder = scratchFolder();
  for (const name of readdirSync(dirname(path)))
    if (!name.endsWith('-shm')) cpSync(join(dirname(path), name), join(folder, name));
  return join(folder, 'hookline.db');
}

/** Writes into a file as any other program can. */
export function overwrite(path: string, bytes: Uint8Array, at: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}
