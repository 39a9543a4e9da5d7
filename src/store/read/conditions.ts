import type { SqlValue } from '../database/driver.ts';

export interface Conditions {
  /** All of them must hold. */
  readonly terms: readonly string[];
  readonly parameters: readonly SqlValue[];
}

/** The terms of a query that have a value. */
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

/** Empty without terms: SQLite counts a table quickly only if it needn't read rows. */
export function whereClause({ terms }: Conditions): string {
  return terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`;
}
