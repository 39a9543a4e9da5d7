import { createContext, Script } from 'node:vm';

/** Work that was ended because it took too long. */
export class InterruptedError extends Error {}

const room: { work: () => void } & Record<string, unknown> = { work: () => {} };
const context = createContext(room);
const script = new Script('work()');

/**
 * What the work gives, or an InterruptedError after so many ms. Nothing else can end a regular expression, or a
 * parser, that is at work on hostile text. The work must not leave anything half done.
 */
export function interruptAfter<T extends NonNullable<unknown>>(ms: number, work: () => T): T {
  const results: T[] = [];
  room.work = () => void results.push(work());
  try {
    script.runInContext(context, { timeout: Math.max(1, Math.ceil(ms)) });
  } catch (error) {
    // It comes from the other context, where Error is another class.
    if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new InterruptedError(`it takes longer than ${ms} ms`);
  }
  const [result] = results;
  if (result === undefined) throw new Error('the work gave nothing');
  return result;
}

/** On a machine that has other things to do, so much longer by the clock. */
const BUSY_FACTOR = 10;

interface Clocks {
  readonly interrupt: typeof interruptAfter;
  /** What this process has used of the processor. */
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
 * The same, in time of the processor. Only the clock on the wall can end the work; where that ended it before the
 * work had its share of the processor, it is done once more with a longer limit.
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
