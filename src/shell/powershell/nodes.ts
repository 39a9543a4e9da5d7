/** An expression with a value. */
export type Expression =
  /** A text, quoted or bare, with literal and computed pieces. */
  | { readonly kind: 'text'; readonly parts: readonly (string | Expression)[]; readonly bare: boolean }
  | { readonly kind: 'variable'; readonly name: string; readonly splat: boolean }
  /** `a, b`. */
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  /** `@{ a = 1 }`. */
  | { readonly kind: 'table'; readonly entries: readonly (readonly [Expression, Statement])[] }
  /** `{ … }`, which runs when something calls it. */
  | { readonly kind: 'block'; readonly body: readonly Statement[]; readonly parameters: readonly Parameter[] }
  /** `( … )`, `$( … )` and `@( … )`, which run where they stand. */
  | { readonly kind: 'group'; readonly body: readonly Statement[] }
  /** `[int]`, and `[int] $x`. */
  | { readonly kind: 'type'; readonly name: string; readonly of: Expression | null }
  | {
      readonly kind: 'member';
      readonly of: Expression;
      readonly name: Expression;
      /** Null if it is not called. */
      readonly given: readonly Expression[] | null;
      readonly isStatic: boolean;
    }
  | { readonly kind: 'index'; readonly of: Expression; readonly at: Expression }
  | { readonly kind: 'operation'; readonly operator: string; readonly operands: readonly Expression[] };

/** A parameter of a function or a block, and its default. */
export interface Parameter {
  readonly name: string;
  readonly value: Expression | null;
}

export interface Redirection {
  readonly operator: string;
  readonly target: Expression;
}

/** One stage of a pipeline. */
export type Stage =
  | {
      readonly kind: 'command';
      /** `&`, `.` or empty. */
      readonly call: string;
      readonly words: readonly Expression[];
      readonly redirections: readonly Redirection[];
    }
  | {
      readonly kind: 'value';
      readonly value: Expression;
      readonly redirections: readonly Redirection[];
    };

export type Statement =
  | { readonly kind: 'pipeline'; readonly stages: readonly Stage[] }
  | {
      readonly kind: 'assignment';
      readonly target: Expression;
      readonly operator: string;
      readonly value: Statement;
    }
  /** `a && b`. */
  | { readonly kind: 'sequence'; readonly items: readonly Statement[] }
  /** Any of the arms may run, or none. */
  | {
      readonly kind: 'branch';
      readonly tests: readonly Statement[];
      readonly arms: readonly (readonly Statement[])[];
      /** The value of `$_` in the arms. */
      readonly about: Statement | null;
    }
  | { readonly kind: 'loop'; readonly tests: readonly Statement[]; readonly body: readonly Statement[] }
  | {
      readonly kind: 'foreach';
      readonly name: string;
      readonly list: Statement;
      readonly body: readonly Statement[];
    }
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly parameters: readonly Parameter[];
      readonly body: readonly Statement[];
    }
  /** `return`, `throw` and `exit` with their arguments. */
  | { readonly kind: 'leave'; readonly value: Statement | null };
