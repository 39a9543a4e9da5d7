import { mkdirSync } from 'node:fs';
import { type Fleet, openFleet } from '../../src/fleet/fleet.ts';
import { machineOf } from '../../src/fleet/machine.ts';
import type { FleetHome, FleetPart, OpenPart } from '../../src/fleet/part.ts';
import { openPolicyPart } from '../../src/fleet/policy/receive.ts';
import { openOutbox } from '../../src/fleet/record/outbox.ts';
import { type FleetSettings, NO_SECRETS, writeFleetSettings } from '../../src/fleet/settings.ts';
import { createAlerts } from '../../src/home/alerts.ts';
import { homePaths } from '../../src/home/paths.ts';
import type { Log } from '../../src/model/log.ts';
import { redact } from '../../src/redact/redact.ts';
import { machineSigner } from '../../src/store/chain/machine-key.ts';
import { closeStore, openStore } from '../../src/store/database/open.ts';
import { createRecorder } from '../../src/store/record/recorder.ts';
import { typicalCall } from './typical-call.ts';

/**
 * A machine of the fleet with a key, a store, a connection, an outbox and a policy of its own, all of them the real ones. It has
 * no agents, no surfaces and no daemon around it, which a fleet does not need.
 */
export interface SimulatedMachine {
  readonly id: string;
  /** Of what it has recorded, in order. */
  readonly ids: readonly string[];
  record(): void;
  join(): void;
  isConnected(): boolean;
  /** Records that the server has not confirmed. */
  waiting(): number;
  /** When it took on a version of the policy; by `performance.now()`. */
  tookOn(version: number): number | null;
  /** What it wrote down about itself that is bad news. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

export function openMachine(folder: string, settings: FleetSettings): SimulatedMachine {
  const paths = homePaths(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFleetSettings(paths, settings, NO_SECRETS);
  const { log, warnings, tookOn } = openNotes();
  const { home, recorder, close } = openLightHome(paths, log);
  const { id } = machineOf(home.signer.publicKey(), settings.name);
  const ids: string[] = [];
  let fleet: Fleet | null = null;
  let outbox: FleetPart | null = null;
  let sessions = 0;
  const watched: OpenPart = (context) => {
    const part = openOutbox(context);
    outbox = part;
    return {
      ...part,
      async run(session) {
        sessions += 1;
        await part.run(session).finally(() => {
          sessions -= 1;
        });
      },
    };
  };
  return {
    id,
    ids,
    warnings,
    tookOn,
    record() {
      const call = typicalCall(`${settings.name}-${ids.length}`, ids.length);
      recorder.commit({ ...call, event: recorder.place(call.event) });
      ids.push(call.event.id);
    },
    join() {
      fleet = openFleet(home, [watched, openPolicyPart]);
    },
    isConnected: () => sessions > 0,
    waiting: () => Number(outbox?.status().waiting ?? ids.length),
    async close() {
      await fleet?.close();
      close();
    },
  };
}

/** What a machine writes down: when it took on which policy, and what went wrong. */
function openNotes() {
  const warnings: string[] = [];
  const policies = new Map<number, number>();
  const log: Log = (level, message) => {
    const version = /policy (\d+) is active/.exec(message)?.[1];
    if (version !== undefined) policies.set(Number(version), performance.now());
    else if (level !== 'info') warnings.push(message);
  };
  return { log, warnings, tookOn: (version: number) => policies.get(version) ?? null };
}

/** What of a home a fleet uses, and a recorder. */
function openLightHome(paths: ReturnType<typeof homePaths>, log: Log) {
  const db = openStore(paths.database);
  const signer = machineSigner(paths, log);
  const listeners = new Set<() => void>();
  const written = () => {
    for (const listener of listeners) listener();
  };
  const recorder = createRecorder(db, { redact, signer, written });
  const home: FleetHome = {
    paths,
    db,
    signer,
    log,
    coverage: () => [],
    alerts: createAlerts(log),
    rules: {
      isStale: () => false,
      inForce() {
        throw new Error('nothing is decided here');
      },
    },
    onStored(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const close = () => {
    recorder.close();
    closeStore(db);
  };
  return { home, recorder, close };
}
