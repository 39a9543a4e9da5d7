import type { NativeCall } from '../../model/native.ts';

/** How scripts of other systems, which stand between an agent and its hooks, speak for the agent over HTTP. */
export interface DispatcherDialect {
  /** What such a script calls the agent; empty where it does not say. */
  readonly sources: readonly string[];
  /** The payload as the agent itself would send it, where scripts write it in another way. */
  payload?(payload: unknown, source: string): unknown;
  /** The answer in a form that the script's mapping to an exit code does not turn into something else. */
  answer?(body: Body, call: Pick<NativeCall, 'event' | 'payload'>): Body;
}

type Body = Readonly<Record<string, unknown>>;

/** The same object with the first of the other names that has a value, where the wanted one has none. */
export function withAlias(object: Body, wanted: string, others: readonly string[]): Body {
  if (object[wanted] !== undefined) return object;
  const found = others.find((name) => object[name] !== undefined);
  return found === undefined ? object : { ...object, [wanted]: object[found] };
}
