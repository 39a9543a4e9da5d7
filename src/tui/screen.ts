import type { Item } from '../history/calls/calls.ts';
import type { StoredEvent } from '../store/read/stored-event.ts';
import type { Chosen } from './card-lines.ts';

/** A text that is being typed, and its purpose, which stays the same when the screen changes. */
export interface Input {
  readonly label: string;
  readonly text: string;
  readonly purpose:
    | { readonly kind: 'deny' | 'stop' | 'edit'; readonly group: string; readonly ids: readonly string[] }
    | { readonly kind: 'own-words'; readonly group: string; readonly question: string }
    | { readonly kind: 'filter' }
    | { readonly kind: 'keep-going'; readonly event: StoredEvent };
}

/** The state of the screen. */
export interface Screen {
  readonly mode: 'now' | 'full' | 'help' | 'more';
  readonly focus: 'queue' | 'calls';
  /** The group of the open approval. Null opens the first to expire. */
  readonly group: string | null;
  /** The key of the selected row. Null follows the newest. */
  readonly row: string | null;
  /** Also shows protocol events. */
  readonly protocol: boolean;
  /** First visible line of a full-screen text. */
  readonly top: number;
  readonly filter: string;
  readonly input: Input | null;
  /** Answers chosen so far, and the group of approvals that they are for. */
  readonly chosen: Chosen;
  readonly chosenFor: string | null;
  /** The calls at the time the list was paused. */
  readonly paused: readonly Item[] | null;
}

export const INITIAL: Screen = {
  mode: 'now',
  focus: 'queue',
  group: null,
  row: null,
  protocol: false,
  top: 0,
  filter: '',
  input: null,
  chosen: {},
  chosenFor: null,
  paused: null,
};
