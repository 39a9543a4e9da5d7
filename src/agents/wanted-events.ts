import { HooklineError } from '../model/errors.ts';

/** What an agent's table of events says of one, if it has it. */
export function entryOf<T>(table: Readonly<Record<string, T>>, event: string): T | undefined {
  return Object.hasOwn(table, event) ? table[event] : undefined;
}

/** How an agent's table of events is to be read. */
export interface EventTable<T> {
  /** Of the agent, for the error. */
  readonly label: string;
  readonly table: Readonly<Record<string, T>>;
  /** Is an event of this kind written only when asked for? */
  optIn?(entry: T): boolean;
}

/**
 * The events that setup registers: all but the opt-in ones, with those that were asked for and without those named with
 * a leading `-`. Throws USAGE for an event that the client does not have.
 */
export function wantedEvents<T>(
  { label, table, optIn = () => false }: EventTable<T>,
  asked: readonly string[] = [],
): readonly (readonly [event: string, entry: T])[] {
  const unknown = asked.map((name) => name.replace(/^-/, '')).find((name) => !Object.hasOwn(table, name));
  if (unknown !== undefined)
    throw new HooklineError('USAGE', `${label} has no event named ${unknown}.`, {
      hint: `Its events are ${Object.keys(table).join(', ')}. A leading "-" leaves one out.`,
    });
  return Object.entries(table).filter(
    ([name, entry]) => !asked.includes(`-${name}`) && (!optIn(entry) || asked.includes(name)),
  );
}
