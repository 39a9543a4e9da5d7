import { Worker } from 'node:worker_threads';
import { messageOf } from '../../model/errors.ts';
import type { CallRecord } from '../../model/recording.ts';
import { envValues } from '../../redact/env-values.ts';
import type { SqlValue } from '../../store/database/driver.ts';
import type { ParsedRequest } from '../../wire/protocol.ts';
import type { FromLargeCalls, LargeJob } from './large-call-worker.ts';

/**
 * Handles in another thread what takes long with large calls, such as a tool result of 15 MB, so that others don't
 * wait. Both reject if the thread can't do it, and the caller does it then.
 */
export interface LargeCalls {
  read(line: Uint8Array): Promise<ParsedRequest>;
  /** The row of a call, redacted. */
  row(record: CallRecord): Promise<readonly SqlValue[]>;
  stop(): void;
}

interface LargeCallsOptions {
  readonly script?: URL;
  /** How long an idle thread waits for another call before it ends and frees its memory. */
  readonly idleMs?: number;
}

const LIMITS = { maxOldGenerationSizeMb: 1_024 };
const IDLE_MS = 5_000;

export function openLargeCalls(options: LargeCallsOptions = {}): LargeCalls {
  const { script = new URL('./large-call-worker.cjs', import.meta.url), idleMs = IDLE_MS } = options;
  const thread = createThread(script, idleMs);
  return {
    read: async (line) => {
      const answer = await thread.ask((id) => {
        if (line.buffer instanceof SharedArrayBuffer) return { job: { id, line } };
        // The thread gets its own copy, transferred without copying again. If it fails, the line is parsed here.
        const own = new Uint8Array(line);
        return { job: { id, line: own }, transferred: [own.buffer] };
      });
      if ('request' in answer) return answer.request;
      throw problemOf(answer);
    },
    row: async (record) => {
      const answer = await thread.ask((id) => ({ job: { id, record, envValues: envValues() } }));
      if ('row' in answer) return answer.row;
      throw problemOf(answer);
    },
    stop: () => thread.end('the store is closed'),
  };
}

function problemOf(answer: FromLargeCalls): Error {
  return new Error('problem' in answer ? answer.problem : 'another answer');
}

/** Created when its turn comes, so that queued calls are not in memory twice. */
type MakeJob = (id: number) => MadeJob;

interface MadeJob {
  readonly job: LargeJob;
  readonly transferred?: readonly ArrayBuffer[];
}

interface Thread {
  ask(make: MakeJob): Promise<FromLargeCalls>;
  end(why: string): void;
}

interface Waiting {
  readonly make: MakeJob;
  resolve(answer: FromLargeCalls): void;
  reject(error: Error): void;
}

/** Runs only while there is work, one job at a time. */
function createThread(script: URL, idleMs: number): Thread {
  // The first one is in progress.
  const waiting: Waiting[] = [];
  let running: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let jobs = 0;

  const end = (why: string) => {
    clearTimeout(idle);
    void running?.terminate();
    running = null;
    for (const { reject } of waiting.splice(0)) reject(new Error(why));
  };

  const answered = (answer: FromLargeCalls) => {
    if (answer.id !== jobs) return;
    waiting.shift()?.resolve(answer);
    doFirst();
  };
  const failed = (worker: Worker, why: string) => {
    if (running === worker) end(why);
  };

  const doFirst = () => {
    clearTimeout(idle);
    const [first] = waiting;
    if (first === undefined) {
      idle = setTimeout(() => end('nothing to do'), idleMs).unref();
      return;
    }
    jobs += 1;
    try {
      running ??= startWorker(script, { answered, failed });
      post(running, first.make(jobs));
    } catch (error) {
      waiting.shift()?.reject(new Error(messageOf(error)));
      doFirst();
    }
  };

  return {
    ask: (make) =>
      new Promise((resolve, reject) => {
        waiting.push({ make, resolve, reject });
        if (waiting.length === 1) doFirst();
      }),
    end,
  };
}

interface WorkerEvents {
  answered(answer: FromLargeCalls): void;
  failed(worker: Worker, why: string): void;
}

function startWorker(script: URL, { answered, failed }: WorkerEvents): Worker {
  const worker = new Worker(script, { resourceLimits: LIMITS, execArgv: ['--no-warnings'] });
  worker.unref();
  worker.on('message', answered);
  worker.on('error', (error) => failed(worker, error.message));
  worker.on('exit', () => failed(worker, 'the thread ended'));
  return worker;
}

/** Throws if the job can't be sent. */
function post(worker: Worker, { job, transferred = [] }: MadeJob): void {
  worker.postMessage(job, transferred);
}
