import type { Item } from '../history/calls.ts';

/** A line that is being typed, and what it is for. */
export interface Input {
  readonly kind: 'deny' | 'stop' | 'edit' | 'filter' | 'keep-going';
  readonly label: string;
  readonly text: string;
}

/** Where the user is on the screen. */
export interface Screen {
  readonly mode: 'list' | 'detail' | 'help' | 'scope';
  readonly focus: 'cards' | 'rows';
  readonly card: number;
  /** The key of the selected row. Null follows the newest. */
  readonly row: string | null;
  /** Also what only the protocol knows. */
  readonly protocol: boolean;
  /** First line of a detail that is shown. */
  readonly top: number;
  readonly filter: string;
  readonly input: Input | null;
  /** Answers chosen so far, by question. */
  readonly chosen: Readonly<Record<string, readonly string[]>>;
  /** What there was when the screen was stopped. */
  readonly held: readonly Item[] | null;
}

export const INITIAL: Screen = {
  mode: 'list',
  focus: 'cards',
  card: 0,
  row: null,
  protocol: false,
  top: 0,
  filter: '',
  input: null,
  chosen: {},
  held: null,
};

/** A change of the screen: some of its parts. */
export type Change = Partial<Screen> | ((screen: Screen) => Partial<Screen>);

export function reduce(screen: Screen, change: Change): Screen {
  return { ...screen, ...(typeof change === 'function' ? change(screen) : change) };
}
