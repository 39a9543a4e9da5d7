import { mkdirSync } from 'node:fs';
import { AGENTS } from '../agents/_registry.ts';
import { openHomeRules } from '../engine/create.ts';
import type { Recorder } from '../engine/record.ts';
import { type Config, readConfig } from '../home/config.ts';
import type { HomePaths } from '../home/paths.ts';
import { type HookBook, openHooks } from '../hooks/book.ts';
import { redact } from '../observe/redact.ts';
import type { RuleBook } from '../rules/book.ts';
import type { Database } from '../store/driver.ts';
import { closeStore, openStore } from '../store/open.ts';
import { createRecorder } from '../store/recorder.ts';
import { type Lock, takeLock } from './lock.ts';
import { type Log, openLog } from './log.ts';
import { type Observing, startObserving } from './observing.ts';
import { ingestSpool } from './spool.ts';

/** A home that this process alone may write to. */
export interface OpenHome {
  readonly paths: HomePaths;
  readonly config: Config;
  readonly rules: RuleBook;
  readonly hooks: HookBook;
  readonly db: Database;
  readonly recorder: Recorder;
  readonly log: Log;
  readonly observing: Observing;
  /** Takes in what forwarders left while no daemon answered; gives the ids of those calls. */
  ingest(): readonly string[];
  close(): void;
}

/** Opens the home for writing, or null when another process has it and keeps it for longer than `waitMs`. */
export function openHome(paths: HomePaths, waitMs = 0): OpenHome | null {
  const config = readConfig(paths.config);
  const lock = takeLock(paths.lock, waitMs);
  if (!lock) return null;
  try {
    return open(paths, config, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function open(paths: HomePaths, config: Config, lock: Lock): OpenHome {
  for (const folder of [paths.rules, paths.spool]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const log = openLog(paths.log);
  const db = openStore(paths.database);
  const recorder = createRecorder(db, { redact });
  const observing = startObserving(db, log);
  const hooks = openHooks(paths, AGENTS);
  return {
    paths,
    config,
    rules: openHomeRules(paths, config),
    hooks,
    db,
    recorder,
    log,
    observing,
    ingest: () => ingestSpool(paths.spool, recorder, log),
    close() {
      hooks.close();
      observing.stop();
      closeStore(db);
      lock.release();
    },
  };
}
