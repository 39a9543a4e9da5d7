import { LazyMap } from '../../platform/bounded.ts';
import { collapsed, madeOf, unknownOf } from '../placeholders.ts';
import type { Node } from '../syntax/nodes.ts';

/** Values that double with every assignment must end somewhere. */
const MAX_VALUE = 32 * 1024;

/** The items of an array by their numbers; those that were never set are undefined. */
export type List = readonly (string | undefined)[];

interface Variable {
  /** A template: `UNKNOWN` stands for what is not known. */
  readonly value: string;
  readonly list: List | null;
  readonly exported: boolean;
}

/** What a shell knows while it runs: a subshell gets a copy, a branch gets one that is merged back. */
export class State {
  readonly variables: LazyMap<string, Variable>;
  readonly functions: LazyMap<string, Node>;
  /** Null when it cannot be known. */
  cwd: string | null;
  /** Patterns of which it is one of the matches, where it is not known otherwise. */
  within: readonly string[] | undefined;
  /** Null when not known; templates otherwise. */
  positional: readonly string[] | null;
  /** What the script is called, where the line says so: `$0`. */
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

  /** Keeps of two possible pasts what they agree on. */
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

/** It may be the one or the other, so that it may come from where either comes from. */
function forgotten(variable: Variable, other?: Variable): Variable {
  const value = madeOf(variable.value, other?.value ?? '');
  return { value, list: null, exported: variable.exported };
}
