import { type AgentReport, isUnended, isUnstarted, type Row, START, type State } from '../../live/report.ts';
import { counted } from '../../model/text.ts';
import { folded } from '../../terminal/fold.ts';
import { paint } from '../output/paint.ts';

const MARKS: Readonly<Record<State, string>> = {
  holds: paint.green('✓'),
  changed: paint.yellow('!'),
  broken: paint.red('✗'),
  untried: paint.dim('·'),
};

/** The result for one version of an agent. */
export function reportLines(report: AgentReport): readonly string[] {
  const { label, version, rows, tookMs } = report;
  const took = paint.dim(`${Math.round(tookMs / 1000)} s`);
  const isPlain = ({ kind, state }: Row) => kind === 'payload' && state === 'holds';
  const sent = rows.filter(isPlain).map(({ name }) => name);
  const width = Math.max(
    ...rows.filter((row) => !isPlain(row)).map(({ name }) => name.length),
    'payloads'.length,
  );
  return [
    `${paint.bold(label)} ${version ?? 'of unknown version'}  ${took}`,
    ...(sent.length === 0
      ? []
      : [line('holds', 'payloads', width, `${sent.join(', ')}: the expected fields`)]),
    ...rows.filter((row) => !isPlain(row)).flatMap((row) => rowLines(row, width)),
  ];
}

function rowLines({ name, state, expected, seen }: Row, width: number): readonly string[] {
  if (name === START) return [line(state, name, width, seen)];
  if (state === 'holds') return [line(state, name, width, expected)];
  if (state === 'changed') return [line(state, name, width, seen)];
  if (state === 'untried') return [line(state, name, width, `not tested: ${seen}`)];
  return [
    line(state, name, width, `expected: ${expected}`),
    folded(`${' '.repeat(width + 6)}seen: ${seen}`, width + 6),
  ];
}

function line(state: State, name: string, width: number, text: string): string {
  return folded(`  ${MARKS[state]} ${name.padEnd(width)}  ${text}`, width + 6);
}

/** One line that tells whether to read the rest. */
export function liveSummary(reports: readonly AgentReport[]): string {
  const unstarted = reports.filter(isUnstarted).map(({ label }) => label);
  const unended = reports.filter(isUnended).map(({ label }) => label);
  const rows = reports.filter((report) => !isUnstarted(report)).flatMap((report) => report.rows);
  const count = (state: State) => rows.filter((row) => row.state === state).length;
  const [broken, changed] = [count('broken') - unended.length, count('changed')];
  if (broken > 0)
    return paint.red(
      `${counted(broken, 'guard')} of Hookline ${broken === 1 ? 'does' : 'do'} not work with these agents.`,
    );
  if (unstarted.length > 0)
    return paint.red(
      `Nothing was checked with ${unstarted.join(', ')}. Make sure it starts, then try again.`,
    );
  if (unended.length > 0)
    return paint.red(
      `${unended.join(', ')} did not end a turn in time, so ${counted(count('untried'), 'check')} could not be tried.`,
    );
  if (changed > 0)
    return `All checks passed; ${counted(changed, 'thing')} changed since Hookline was tested.`;
  if (reports.length === 0) return 'Nothing was checked: no supported agent is on PATH.';
  return paint.green('All checks passed.');
}
