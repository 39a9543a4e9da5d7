import { setImmediate as letOthersRun } from 'node:timers/promises';
import { AGENTS } from '../agents/_registry.ts';
import { messageOf } from '../model/errors.ts';
import type { Log } from '../model/log.ts';
import { redact } from '../redact/redact.ts';
import type { Database } from '../store/database/driver.ts';
import { createObserver } from './observations/observer.ts';
import { createTranscripts } from './observations/transcripts.ts';
import { createTurnIndex } from './search/turn-index.ts';
import { whenQuiet } from './when-quiet.ts';

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
/** A turn that goes on is read again as a whole, so turns are indexed only when agents pause, or are asked for. */
const PAUSE_MS = 2_000;
const LATEST_INDEX_MS = 60_000;
/** Small enough for a call in between not to notice. */
const STEP = 50;
const SLICE_MS = 200;

export function startObserving(db: Database, log: Log): Observing {
  const backlog = openBacklog(db);
  let notedAt = 0;
  let stopped = false;
  const isStopped = () => stopped;
  const failed = (error: unknown) => {
    // Unprocessed events stay before the mark, and are retried with the next call.
    log('error', `can't process events: ${messageOf(error)}`);
  };
  const activity = { lastAt: () => notedAt, failed };
  const observing = whenQuiet({ ...activity, quietMs: QUIET_MS, latestMs: LATEST_MS }, async () => {
    const isDone = await workOff(backlog, SLICE_MS, isStopped);
    indexing.wake();
    return isDone;
  });
  const indexed: Steps = { ...backlog, step: () => backlog.step() || backlog.index() };
  const indexing = whenQuiet({ ...activity, quietMs: PAUSE_MS, latestMs: LATEST_INDEX_MS }, async () => {
    return (await workOff(indexed, SLICE_MS, isStopped)) && !(await workOffOld(backlog, isStopped));
  });

  return {
    note() {
      notedAt = performance.now();
      observing.wake();
    },
    catchUp: (mostMs) => workOff(indexed, mostMs, isStopped),
    stop() {
      stopped = true;
      observing.stop();
      indexing.stop();
    },
  };
}

interface Steps {
  /** Processes the next few; false if nothing is left. */
  step(): boolean;
  /** Also what the transcripts say by now. */
  finish(): void;
}

/** Stored events without observations, and observations that are not in a turn yet. */
interface Backlog extends Steps {
  /** Puts the next few observations into their turns; false if nothing is left. */
  index(): boolean;
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
      return events === STEP;
    },
    finish: () => transcripts.readOn(),
    index: turns.step,
    old: turns.backlogStep,
  };
}

/** False where the time was too short for all of it. */
async function workOff(steps: Steps, mostMs: number, isStopped: () => boolean): Promise<boolean> {
  const start = performance.now();
  let finished = false;
  while (!isStopped()) {
    if (!steps.step()) {
      if (finished) return true;
      finished = true;
      steps.finish();
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
