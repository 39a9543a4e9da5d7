import type { OwnHooks } from './own-hooks.ts';
import type { ItemWire, ThreadWire } from './wire.ts';

/** What is remembered of a turn while it goes on. */
export interface TurnState {
  /** Its beginning was told to us. We come late to the turns of servers that we join. */
  known: boolean;
  /** `turn/started` as it came, until its prompt is known. */
  begun: unknown;
  /** The last thing a person said. */
  prompt: ItemWire | null;
  /** How many prompts our own hook has reported whose items are still to come. */
  reportedPrompts: number;
  reportedStop: boolean;
  /** Whether our own hook has reported a call, by the id of the item. */
  readonly reportedCalls: Map<string, boolean>;
  /** As last seen, by id. */
  readonly items: Map<string, ItemWire>;
  /** `item/completed` of calls that our own hook is about to report. */
  readonly finished: Map<string, unknown>;
}

export interface ThreadState {
  info: ThreadWire | null;
  hooks: Promise<OwnHooks> | null;
  ended: boolean;
  turn: TurnState;
  /** The end of the line of messages to be worked on. */
  queue: Promise<void>;
}

export function newTurn(): TurnState {
  return {
    known: false,
    begun: null,
    prompt: null,
    reportedPrompts: 0,
    reportedStop: false,
    reportedCalls: new Map(),
    items: new Map(),
    finished: new Map(),
  };
}
