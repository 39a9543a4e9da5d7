import { existsSync } from 'node:fs';
import { AGENTS } from '../agents/_registry.ts';
import type { Coverage } from '../fleet/machines/report.ts';
import { type Observing, startObserving } from '../history/observing.ts';
import { type HookRegistry, openHooks } from '../hooks/registry.ts';
import { type Alerts, WEAKENED_AT_ONCE } from '../model/alert.ts';
import { messageOf } from '../model/errors.ts';
import type { Log } from '../model/log.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { redact } from '../redact/redact.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { LinkedRow, MachineSigner } from '../store/chain/chain.ts';
import { machineSigner } from '../store/chain/machine-key.ts';
import { writeMark } from '../store/database/application-mark.ts';
import type { Database } from '../store/database/driver.ts';
import { startLogSync } from '../store/database/log-sync.ts';
import { type GuardedStore, openGuardedStore } from '../store/guarded-store.ts';
import { createRecorder, type StoreRecorder } from '../store/record/recorder.ts';
import { createAlerts } from './alerts.ts';
import { type Config, readConfig } from './config.ts';
import { type Confirmed, openConfirmed } from './confirmed/confirmed.ts';
import { CONFIRMED_MARK } from './confirmed/state.ts';
import { createCoverage } from './coverage.ts';
import { type Lock, takeLock } from './daemon/lock.ts';
import { openHomeRules } from './engine.ts';
import { keepFailureMode } from './failure-mode.ts';
import { ingestSpool } from './intake/ingest.ts';
import { type LargeCalls, openLargeCalls } from './intake/large-calls.ts';
import { openLiveConfig } from './live-config.ts';
import { openLog } from './log.ts';
import { requireOwnHome } from './ownership.ts';
import type { HomePaths } from './paths.ts';

/** A home that this process alone may write to. */
export interface OpenHome {
  readonly paths: HomePaths;
  /** The settings as they are at the time they are looked at. */
  readonly config: Config;
  /** What a person has agreed to of the settings and rules. */
  readonly confirmed: Confirmed;
  readonly rules: RuleSet;
  readonly hooks: HookRegistry;
  readonly db: Database;
  readonly recorder: StoreRecorder;
  readonly largeCalls: LargeCalls;
  readonly signer: MachineSigner;
  readonly log: Log;
  readonly observing: Observing;
  /** What the user should know of this home. */
  readonly alerts: Alerts;
  /** The agents of this machine, as they are now. */
  readonly coverage: Coverage;
  /** Calls after each transaction of the recorder, before anyone is answered: only to note it. Gives the way to stop. */
  onStored(listener: () => void): () => void;
  /** Looks whether the files of the history are still those that are open. */
  checkFiles(): void;
  /** Records were deleted on purpose, and must not be written again. */
  deleted(): void;
  /** Takes in what forwarders left while no daemon answered; gives the ids of those calls. */
  ingest(): readonly string[];
  close(): void;
}

/** Opens the home for writing, or null when another process has it and keeps it for longer than `waitMs`. */
export function openHome(paths: HomePaths, waitMs = 0): OpenHome | null {
  requireOwnHome(paths);
  // What is wrong with the settings is said before anything is taken.
  readConfig(paths.config);
  const lock = takeLock(paths.lock, waitMs);
  if (!lock) return null;
  try {
    return open(paths, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The settings that say which rules there are. */
const RULE_SETTINGS = ['packs', 'disabledRules', 'develop'] as const;

/** The rules by the settings of now. */
function openLiveRules(paths: HomePaths, now: () => Config, confirmed: Confirmed): RuleSet {
  const openWith = (config: Config) => openHomeRules(paths, config, {}, confirmed);
  let used = now();
  let rules = openWith(used);
  const isOther = (current: Config) => RULE_SETTINGS.some((key) => current[key] !== used[key]);
  return {
    isStale: (project) => isOther(now()) || rules.isStale(project),
    inForce(project) {
      const current = now();
      if (isOther(current)) rules = openWith(current);
      used = current;
      return rules.inForce(project);
    },
  };
}

/** A home that can be read but not written to is still worth opening. */
function tellForwarders(paths: HomePaths, { failure }: Config, log: Log): void {
  try {
    keepFailureMode(paths, failure);
  } catch (error) {
    const why = messageOf(error);
    log('warning', `can't save the failure mode ${failure} for the forwarders: ${why}`);
  }
}

/** A disk that is full must not keep the home from being closed. */
function signLast(recorder: StoreRecorder, log: Log): void {
  try {
    recorder.close();
  } catch (error) {
    log('warning', `the last link was not signed: ${messageOf(error)}`);
  }
}

/** The store in the durability that the settings want, now and later. */
function openHomeStore(
  paths: HomePaths,
  log: Log,
  signer: MachineSigner,
  alerts: Alerts,
  confirmed: Confirmed,
) {
  let store: GuardedStore | null = null;
  const live = openLiveConfig(paths.config, confirmed, {
    changed: (current) => {
      tellForwarders(paths, current, log);
      store?.setDurability(current.durability);
    },
    failed: (problem) => log('warning', `the previous settings stay active: ${problem}`),
  });
  tellForwarders(paths, live.config, log);
  const { database: path, chainHead: headPath } = paths;
  const opened = openGuardedStore({ path, headPath, signer, tell: alerts.raise });
  store = opened;
  opened.setDurability(live.config.durability);
  // Without the file the mark would mean that it was removed.
  if (confirmed.isLost || existsSync(paths.confirmed)) writeMark(opened.db, CONFIRMED_MARK);
  return { ...live, opened };
}

/** The confirmed version, which only the process that has the home may write. */
function openHomeConfirmed(paths: HomePaths, signer: MachineSigner, log: Log, alerts: Alerts): Confirmed {
  return openConfirmed(paths, {
    signer,
    weakened: (name, lines) =>
      alerts.raise({
        code: WEAKENED_AT_ONCE,
        level: 'notice',
        message: `${name} protects less than before: ${lines.join(', ')}. The change applies at once because no person can confirm it here.`,
        fix: null,
      }),
    failed: (error) => log('error', `can't write the confirmed version: ${messageOf(error)}`),
  });
}

function makeFolders({ rules, spool }: HomePaths): void {
  // A file in the place of the rules is a problem that reading them reports.
  for (const folder of existsSync(rules) ? [spool] : [rules, spool]) makeFolder(folder, 0o700);
}

function createListeners() {
  const listeners = new Set<() => void>();
  return {
    tell() {
      for (const listener of listeners) listener();
    },
    add(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function open(paths: HomePaths, lock: Lock): OpenHome {
  makeFolders(paths);
  const log = openLog(paths.log);
  const signer = machineSigner(paths, log);
  const alerts = createAlerts(log);
  const confirmed = openHomeConfirmed(paths, signer, log, alerts);
  const { config, now, opened } = openHomeStore(paths, log, signer, alerts, confirmed);
  const { db } = opened;
  const logSync = startLogSync(paths.database);
  const stored = createListeners();
  const written = (records: readonly LinkedRow[]) => {
    opened.written(records);
    logSync.written(opened.generation());
    stored.tell();
  };
  const largeCalls = openLargeCalls();
  const recorder = createRecorder(db, { redact, signer, written, rowElsewhere: largeCalls.row });
  const observing = startObserving(db, log);
  const hooks = openHooks(paths, AGENTS);
  return {
    paths,
    config,
    confirmed,
    rules: openLiveRules(paths, now, confirmed),
    hooks,
    db,
    recorder,
    largeCalls,
    signer,
    log,
    observing,
    alerts,
    coverage: createCoverage({ paths, config }),
    onStored: stored.add,
    checkFiles: opened.look,
    deleted: opened.deleted,
    ingest: () => ingestSpool(paths.spool, recorder, log),
    close() {
      for (const part of [confirmed, hooks]) part.close();
      observing.stop();
      logSync.stop();
      largeCalls.stop();
      signLast(recorder, log);
      opened.close();
      lock.release();
    },
  };
}
