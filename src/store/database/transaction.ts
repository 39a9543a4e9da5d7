import type { Database, Statement } from './driver.ts';

/** The same transaction for every driver, built from its prepared statements. */
export function transactionOf(prepare: (sql: string) => Pick<Statement, 'run'>): Database['transaction'] {
  let statements: { begin: Pick<Statement, 'run'>; commit: Pick<Statement, 'run'> } | null = null;
  return (work) => {
    statements ??= { begin: prepare('BEGIN IMMEDIATE'), commit: prepare('COMMIT') };
    statements.begin.run();
    try {
      const result = work();
      statements.commit.run();
      return result;
    } catch (error) {
      try {
        prepare('ROLLBACK').run();
      } catch {
        // SQLite rolled back by itself, as on a full disk; the first error is the one to report.
      }
      throw error;
    }
  };
}
