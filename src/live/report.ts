/**
 * `holds`: as Hookline relies on it. `changed`: other than it was measured, and nothing that guards depends on it.
 * `broken`: something that Hookline promises does not work with this client. `untried`: it could not be tried here.
 */
export type State = 'holds' | 'changed' | 'broken' | 'untried';

/** What was found out about one thing that a client does. */
export interface Row {
  /** `run`: the client itself; `payload`: what it sends; `effect`: what it does with answers; `failure`: what it does without; `rule`: a rule of the user. */
  readonly kind: 'run' | 'payload' | 'effect' | 'failure' | 'rule';
  readonly name: string;
  readonly state: State;
  readonly expected: string;
  /** What was seen instead; the same as expected where it holds. */
  readonly seen: string;
}

/** What one version of one client does with Hookline. */
export interface AgentReport {
  readonly agent: string;
  readonly label: string;
  /** Null where the client does not say. */
  readonly version: string | null;
  readonly rows: readonly Row[];
  readonly tookMs: number;
}

/** The row of a client that does not start, which is then the only one. */
export const START = 'start';

export function isUnstarted({ rows }: Pick<AgentReport, 'rows'>): boolean {
  return rows.some(isStart);
}

export function isStart({ kind, name }: Row): boolean {
  return kind === 'run' && name === START;
}

/** The row about whether the turns of a client come to their end. */
export const TURN = 'a turn';

/** A client did not end in time, and no guard was seen to fail: it says nothing about the guards. */
export function isUnended({ rows }: Pick<AgentReport, 'rows'>): boolean {
  const broken = rows.filter(({ state }) => state === 'broken');
  return broken.length > 0 && broken.every(({ kind, name }) => kind === 'run' && name === TURN);
}

export function isBroken({ rows }: Pick<AgentReport, 'rows'>): boolean {
  return rows.some(({ state }) => state === 'broken');
}
