import type { AgentReport, Row } from '../../src/live/report.ts';

/** Something that two versions of a client do differently. */
export interface Change {
  readonly kind: Row['kind'];
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** It held before, and a promise of Hookline does not hold any more. */
  readonly breaks: boolean;
}

/** What is different in the second report; also what only one of them has, such as an event. */
export function changesBetween(
  before: Pick<AgentReport, 'rows'>,
  after: Pick<AgentReport, 'rows'>,
): readonly Change[] {
  const rows = new Map<string, { was?: Row; is?: Row }>();
  for (const row of before.rows) rows.set(keyOf(row), { was: row });
  for (const row of after.rows) rows.set(keyOf(row), { ...rows.get(keyOf(row)), is: row });
  return [...rows.values()].flatMap(({ was, is }) => {
    const { kind, name } = was ?? is ?? { kind: 'run', name: '' };
    const [then, now] = [described(was), described(is)];
    const breaks = is?.state === 'broken' && was?.state !== 'broken';
    return then === now ? [] : [{ kind, name, before: then, after: now, breaks }];
  });
}

/** The report of a version that does all that was measured: where there is only one, that is what it is compared with. */
export function asMeasured({ rows }: Pick<AgentReport, 'rows'>): Pick<AgentReport, 'rows'> {
  return { rows: rows.map((row) => (row.state === 'untried' ? row : { ...row, state: 'holds' })) };
}

function keyOf({ kind, name }: Row): string {
  return `${kind} ${name}`;
}

/** Words of a client that are different each time are not compared. */
function described(row: Row | undefined): string {
  if (row === undefined) return 'not there';
  if (row.state === 'holds') return 'as measured';
  if (row.state === 'broken') return `broken: ${row.expected}`;
  return row.kind === 'payload' ? row.seen : row.state;
}
