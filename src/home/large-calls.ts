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

const LIMITS = { maxOldGenerationSizeMb: 1_024 };
const IDLE_MS = 5_000;

export function openLargeCalls(options: LargeCallsOptions = {}): LargeCalls {
  const { script = new URL('./large-call-worker.js', import.meta.url), idleMs = IDLE_MS } = options;
  const thread = createThread(script, idleMs);
  return {
    read: async (line) => {
      const answer = await thread.ask((id) => ({ id, line }));
      if ('request' in answer) return answer.request;
      throw problemOf(answer);
    },
    row: async (record) => {
      const answer = await thread.ask((id) => ({ id, record, envValues: envValues() }));
      if ('row' in answer) return answer.row;
      throw problemOf(answer);
    },
    stop: () => thread.end('the store is closed'),
  };
}

function problemOf(answer: FromLargeCalls): Error {
  return new Error('problem' in answer ? answer.problem : 'another answer');
}

interface Thread {
  ask(job: (id: number) => LargeJob): Promise<FromLargeCalls>;
  end(why: string): void;
}

interface Waiting {
  resolve(answer: FromLargeCalls): void;
  reject(error: Error): void;
}

/** Runs only while there is something to do. */
function createThread(script: URL, idleMs: number): Thread {
  const waiting = new Map<number, Waiting>();
  let running: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let jobs = 0;

  const end = (why: string) => {
    clearTimeout(idle);
    void running?.terminate();
    running = null;
    const left = [...waiting.values()];
    waiting.clear();
    for (const { reject } of left) reject(new Error(why));
  };

  const start = (): Worker => {
    const started = new Worker(script, { resourceLimits: LIMITS, execArgv: ['--no-warnings'] });
    started.unref();
    const failed = (why: string) => {
      if (running === started) end(why);
    };
    started.on('message', (answer: FromLargeCalls) => {
      waiting.get(answer.id)?.resolve(answer);
      waiting.delete(answer.id);
      if (waiting.size === 0) idle = setTimeout(() => end('nothing to do'), idleMs).unref();
    });
    started.on('error', (error) => failed(error.message));
    started.on('exit', () => failed('the thread ended'));
    return started;
  };

  return {
    ask: (job) =>
      new Promise((resolve, reject) => {
        clearTimeout(idle);
        jobs += 1;
        running ??= start();
        // Throws, and with that rejects, for what cannot be sent.
        running.postMessage(job(jobs));
        waiting.set(jobs, { resolve, reject });
      }),
    end,
  };
}
