import type { SqlValue } from '../database/driver.ts';

export interface Conditions {
  /** Each has to hold. */
  readonly terms: readonly string[];
  readonly parameters: readonly SqlValue[];
}

/** The terms of a query whose values were given. */
export function conditions(
  ...given: readonly (readonly [term: string, value: SqlValue | undefined])[]
): Conditions {
  const terms: string[] = [];
  const parameters: SqlValue[] = [];
  for (const [term, value] of given) {
    if (value === undefined) continue;
    terms.push(term);
    parameters.push(value);
  }
  return { terms, parameters };
}

/** Nothing at all without terms: SQLite counts a table at once only when it need not look at rows. */
export function whereClause({ terms }: Conditions): string {
  return terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`;
}
