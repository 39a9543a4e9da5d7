import { generateKeyPairSync, sign } from 'node:crypto';
import { closeSync, cpSync, openSync, readdirSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { redact } from '../redact/redact.ts';
import { scratchFolder } from '../testing/scratch.ts';
import type { MachineSigner } from './chain.ts';
import { type GuardedStore, openGuardedStore } from './guarded-store.ts';
import { listEvents } from './queries.ts';
import { createRecorder, type StoreRecorder } from './recorder.ts';
import { beforeTool, call } from './testing.ts';
import type { StoreTrouble } from './trouble.ts';
import { verifyStore } from './verify-chain.ts';

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
  readonly told: StoreTrouble[];
  /** Records so many calls; gives their ids once they are acknowledged. */
  record(count: number, command?: string): readonly string[];
  ids(): readonly string[];
  /** What `history verify` would say. */
  problems(): readonly string[];
}

export function openRecording(path: string): Recording {
  const told: StoreTrouble[] = [];
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
