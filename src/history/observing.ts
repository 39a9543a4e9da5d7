import { setImmediate as letOthersRun } from 'node:timers/promises';
import { AGENTS } from '../agents/_registry.ts';
import { messageOf } from '../model/errors.ts';
import type { Log } from '../model/log.ts';
import { redact } from '../redact/redact.ts';
import type { Database } from '../store/database/driver.ts';
import { createObserver } from './observations/observer.ts';
import { createTranscripts } from './observations/transcripts.ts';
import { createTurnIndex } from './search/turn-index.ts';

/** Creates observations from stored events while no call is waiting. */
export interface Observing {
  /** Something was stored: process it when idle. */
  note(): void;
  /** Processes everything new, up to a time limit; false if there is more. Calls are answered in between. */
  catchUp(mostMs: number): Promise<boolean>;
  stop(): void;
}

/** Idle time after the last call. */
const QUIET_MS = 250;
/** Without an idle moment, a step runs after this time. */
const LATEST_MS = 5_000;
/** Small enough for a call in between not to notice. */
const STEP = 50;
const SLICE_MS = 200;

export function startObserving(db: Database, log: Log): Observing {
  const backlog = openBacklog(db);
  let timer: NodeJS.Timeout | null = null;
  let notedAt = 0;
  let since = 0;
  let stopped = false;

  const isStopped = () => stopped;

  function wait(ms: number): void {
    timer = setTimeout(look, ms);
    timer.unref();
  }

  async function look(): Promise<void> {
    timer = null;
    const quietFor = performance.now() - notedAt;
    if (quietFor < QUIET_MS && performance.now() - since < LATEST_MS) {
      wait(QUIET_MS - quietFor);
      return;
    }
    try {
      since = performance.now();
      const hasMore =
        !(await workOff(backlog, SLICE_MS, isStopped)) || (await workOffOld(backlog, isStopped));
      if (hasMore && !stopped && timer === null) wait(QUIET_MS);
    } catch (error) {
      // Unprocessed events stay before the mark, and are retried with the next call.
      log('error', `can't process events: ${messageOf(error)}`);
    }
  }

  return {
    note() {
      notedAt = performance.now();
      if (timer !== null || stopped) return;
      since = notedAt;
      wait(QUIET_MS);
    },
    catchUp: (mostMs) => workOff(backlog, mostMs, isStopped),
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** Stored events without observations, and observations that are not in a turn yet. */
interface Backlog {
  /** Processes the next few; false if nothing is left. */
  step(): boolean;
  /** Also what the transcripts say by now. */
  finish(): void;
  /** The next few of what was stored before there were turns; false when there is nothing left. */
  old(): boolean;
}

function openBacklog(db: Database): Backlog {
  const observer = createObserver(db, AGENTS);
  const transcripts = createTranscripts(db, AGENTS, redact);
  const turns = createTurnIndex(db);
  return {
    step() {
      const { events, ended } = observer.observe(STEP);
      for (const turn of ended) transcripts.read(turn);
      return events === STEP || turns.step();
    },
    finish: () => transcripts.readOn(),
    old: turns.backlogStep,
  };
}

/** False where the time was too short for all of it. */
async function workOff(backlog: Backlog, mostMs: number, isStopped: () => boolean): Promise<boolean> {
  const start = performance.now();
  let finished = false;
  while (!isStopped()) {
    if (!backlog.step()) {
      if (finished) return true;
      finished = true;
      backlog.finish();
    }
    if (performance.now() - start > mostMs) return false;
    await letOthersRun();
  }
  return true;
}

/** For a moment, what can wait; true if there is more of it. */
async function workOffOld(backlog: Backlog, isStopped: () => boolean): Promise<boolean> {
  const until = performance.now() + SLICE_MS;
  while (performance.now() < until && !isStopped()) {
    if (!backlog.old()) return false;
    await letOthersRun();
  }
  return true;
}
