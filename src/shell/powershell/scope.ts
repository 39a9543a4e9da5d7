import type { Parameter, Statement } from './nodes.ts';
import { isSame, union, type Value } from './values.ts';

interface Definition {
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
}

/** Names defined so far, in lowercase. */
export class Scope {
  variables: Map<string, Value>;
  readonly functions: Map<string, Definition>;
  readonly aliases: Map<string, string>;
  /** Functions whose bodies are being walked. */
  readonly calls: Set<Definition> = new Set();

  constructor(from?: Scope) {
    this.variables = new Map(from?.variables);
    this.functions = from?.functions ?? new Map();
    this.aliases = from?.aliases ?? new Map();
  }

  /**
   * Runs code that may not run: afterwards each variable may have its old or its new value. Returns true if any
   * changed.
   */
  maybe(body: () => void): boolean {
    const before = this.variables;
    this.variables = new Map(before);
    body();
    let changed = false;
    for (const [name, value] of this.variables) {
      const old = before.get(name);
      if (isSame(value, old)) continue;
      // Each run of a block sets its own `$_`.
      if (name !== '_') changed = true;
      if (old !== undefined) this.variables.set(name, either(old, value));
    }
    return changed;
  }
}

/** Removes duplicate candidates. */
function either(a: Value, b: Value): Value {
  const both = union(a, b);
  return { ...both, items: [...new Set(both.items)], blocks: [...new Set(both.blocks)] };
}
