import { LazyMap } from '../../platform/bounded.ts';
import { collapsed, madeOf, unknownOf } from '../placeholders.ts';
import type { Node } from '../syntax/nodes.ts';

/** Limits values that double with every assignment. */
const MAX_VALUE = 32 * 1024;

/** Array items by index; undefined for an index that was never set. */
export type List = readonly (string | undefined)[];

interface Variable {
  /** A template: `UNKNOWN` stands for each unknown piece. */
  readonly value: string;
  readonly list: List | null;
  readonly exported: boolean;
}

/** Variables and other state of a running shell. A subshell gets a copy; a branch gets a copy that is merged back. */
export class State {
  readonly variables: LazyMap<string, Variable>;
  readonly functions: LazyMap<string, Node>;
  /** Null if unknown. */
  cwd: string | null;
  /** Patterns, one of whose matches it is; used only if the value is not known. */
  within: readonly string[] | undefined;
  /** Null if unknown; templates otherwise. */
  positional: readonly string[] | null;
  /** The script's name `$0`, if the line determines it. */
  script: string | null;

  constructor(cwd: string | null, from?: State) {
    this.cwd = cwd;
    this.variables = new LazyMap(from?.variables);
    this.functions = new LazyMap(from?.functions);
    this.positional = from?.positional ?? null;
    this.script = from?.script ?? null;
    this.within = from?.within;
  }

  copy(): State {
    return new State(this.cwd, this);
  }

  /** A new shell process: exported variables only, and no functions. */
  child(): State {
    const state = new State(this.cwd);
    state.within = this.within;
    for (const [name, variable] of this.variables) if (variable.exported) state.variables.set(name, variable);
    return state;
  }

  set(name: string, value: string, exported = false): void {
    const before = this.variables.get(name);
    this.variables.set(name, {
      value: bounded(value),
      list: null,
      exported: exported || before?.exported === true,
    });
  }

  setList(name: string, list: List): void {
    this.variables.set(name, { value: list[0] ?? '', list, exported: false });
  }

  /** Keeps only what two possible states agree on. */
  join(other: State): void {
    for (const [name, variable] of other.variables) {
      const mine = this.variables.get(name);
      if (mine !== variable && mine?.value !== variable.value)
        this.variables.set(name, forgotten(variable, mine));
    }
    for (const [name, variable] of this.variables) {
      if (!other.variables.has(name)) this.variables.set(name, forgotten(variable));
    }
    for (const [name, body] of other.functions) if (!this.functions.has(name)) this.functions.set(name, body);
    if (this.within !== other.within) this.within = [...(this.within ?? []), ...(other.within ?? [])];
    if (this.cwd !== other.cwd) this.cwd = null;
    if (this.positional !== other.positional) this.positional = null;
  }
}

function bounded(value: string): string {
  return value.length > MAX_VALUE ? unknownOf(value) : collapsed(value);
}

/** The variable may have either value, so it keeps the origins of both. */
function forgotten(variable: Variable, other?: Variable): Variable {
  const value = madeOf(variable.value, other?.value ?? '');
  return { value, list: null, exported: variable.exported };
}
