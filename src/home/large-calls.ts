import { Worker } from 'node:worker_threads';
import type { CallRecord } from '../model/recording.ts';
import { envValues } from '../redact/env-values.ts';
import type { SqlValue } from '../store/driver.ts';
import type { ParsedRequest } from '../wire/protocol.ts';
import type { FromLargeCalls, LargeJob } from './large-call-worker.ts';

/**
 * Does in another thread what takes long with large calls, such as those about a tool that answered with 15 MB, so that
 * others do not wait for it. Both reject when the thread cannot do it: whoever asks does it then.
 */
export interface LargeCalls {
  read(line: Uint8Array): Promise<ParsedRequest>;
  /** The row of a call, redacted. */
  row(record: CallRecord): Promise<readonly SqlValue[]>;
  stop(): void;
}

interface LargeCallsOptions {
  readonly script?: URL;
  /** How long the thread waits for another call before it ends, and gives its memory back. */
  readonly idleMs?: number;
}

interface Waiting {
  take(answer: FromLargeCalls): void;
  reject(error: Error): void;
}

const LIMITS = { maxOldGenerationSizeMb: 1_024 };
const IDLE_MS = 5_000;

export function openLargeCalls(options: LargeCallsOptions = {}): LargeCalls {
  const { script = new URL('./large-call-worker.js', import.meta.url), idleMs = IDLE_MS } = options;
  const waiting = new Map<number, Waiting>();
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let jobs = 0;

  const end = (why: string) => {
    clearTimeout(idle);
    void thread?.terminate();
    thread = null;
    const left = [...waiting.values()];
    waiting.clear();
    for (const { reject } of left) reject(new Error(why));
  };

  const take = (answer: FromLargeCalls) => {
    waiting.get(answer.id)?.take(answer);
    waiting.delete(answer.id);
    if (waiting.size === 0) idle = setTimeout(() => end('nothing to do'), idleMs).unref();
  };

  const start = (): Worker => {
    const started = new Worker(script, { resourceLimits: LIMITS, execArgv: ['--no-warnings'] });
    started.unref();
    const failed = (why: string) => {
      if (thread === started) end(why);
    };
    started.on('message', take);
    started.on('error', (error) => failed(error.message));
    started.on('exit', () => failed('the thread ended'));
    return started;
  };

  /** `result` is undefined for an answer to something else. */
  const ask = <T>(
    job: (id: number) => LargeJob,
    result: (answer: FromLargeCalls) => T | undefined,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      clearTimeout(idle);
      jobs += 1;
      const id = jobs;
      thread ??= start();
      // Throws, and with that rejects, for what cannot be sent.
      thread.postMessage(job(id));
      const takeResult = (answer: FromLargeCalls) => {
        const found = result(answer);
        if (found === undefined) reject(new Error('problem' in answer ? answer.problem : 'no answer'));
        else resolve(found);
      };
      waiting.set(id, { take: takeResult, reject });
    });

  return {
    read: (line) =>
      ask(
        (id) => ({ id, line }),
        (answer) => ('request' in answer ? answer.request : undefined),
      ),
    row: (record) =>
      ask(
        (id) => ({ id, record, envValues: envValues() }),
        (answer) => ('row' in answer ? answer.row : undefined),
      ),
    stop: () => end('the store is closed'),
  };
}
