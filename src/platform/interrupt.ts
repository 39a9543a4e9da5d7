import { createContext, Script } from 'node:vm';

/** Thrown for work that took too long. */
export class InterruptedError extends Error {}

const room: { work: () => void } & Record<string, unknown> = { work: () => {} };
const context = createContext(room);
const script = new Script('work()');

/**
 * The result of the work, or an InterruptedError after this time. Nothing else can end a regular expression, or a
 * parser, that runs on hostile text. The work must leave nothing half done.
 */
export function interruptAfter<T extends NonNullable<unknown>>(ms: number, work: () => T): T {
  const results: T[] = [];
  room.work = () => void results.push(work());
  try {
    script.runInContext(context, { timeout: Math.max(1, Math.ceil(ms)) });
  } catch (error) {
    // It comes from another context with its own Error class.
    if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new InterruptedError(`it takes longer than ${ms} ms`);
  }
  const [result] = results;
  if (result === undefined) throw new Error('the work gave nothing');
  return result;
}

/** Factor for the wall clock on a busy machine. */
const BUSY_FACTOR = 10;

interface Clocks {
  readonly interrupt: typeof interruptAfter;
  /** CPU time used by this process. */
  cpuMs(): number;
}

const CLOCKS: Clocks = {
  interrupt: interruptAfter,
  cpuMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

/**
 * The same, measured in CPU time. Only the wall clock can end the work. If that happened before the work had its
 * share of the CPU, it runs once more with a longer limit.
 */
export function interruptAfterWork<T extends NonNullable<unknown>>(
  ms: number,
  work: () => T,
  { interrupt, cpuMs }: Clocks = CLOCKS,
): T {
  const before = cpuMs();
  try {
    return interrupt(ms, work);
  } catch (error) {
    if (!(error instanceof InterruptedError) || cpuMs() - before >= ms / 2) throw error;
    return interrupt(ms * BUSY_FACTOR, work);
  }
}
