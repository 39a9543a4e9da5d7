import { counted } from '../../model/text.ts';
import { folded } from '../../terminal/fold.ts';
import { paint } from '../output/paint.ts';
import { typedHere } from '../program.ts';
import type { Diagnosis } from './check.ts';
import type { RepairResult } from './repairs.ts';

const MARKS = {
  ok: paint.green('✓'),
  limit: paint.dim('·'),
  warning: paint.yellow('!'),
  problem: paint.red('✗'),
} as const;

/** Warnings about agents whose calls bypass Hookline, or may. */
const UNGUARDED: ReadonlySet<string> = new Set(['not-set-up', 'not-seen']);

/** The finding, its cause, and the command that fixes it. */
export function findingLines({ level, code, message, why, fix }: Diagnosis): string[] {
  return [
    folded(`  ${MARKS[level]} ${message}${hasPage(level) ? paint.dim(` ${code}`) : ''}`, 4),
    ...(why ? [folded(`      ${why}`, 6)] : []),
    ...(fix ? [paint.dim(folded(`      ${typedHere(fix)}`, 6))] : []),
  ];
}

/** The codes that docs/doctor.md explains. */
function hasPage(level: Diagnosis['level']): boolean {
  return level === 'problem' || level === 'warning';
}

export function repairLines(repairs: readonly RepairResult[]): string[] {
  return repairs.flatMap(({ ok, message, hint }) => [
    `${ok ? paint.green('fixed') : paint.red('not fixed')}  ${message}`,
    ...(hint ? [paint.dim(`  ${typedHere(hint)}`)] : []),
  ]);
}

/** One line that tells whether to read the rest. */
export function findingsLine(findings: readonly Diagnosis[]): string {
  const count = (level: Diagnosis['level']) => findings.filter((one) => one.level === level).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  const fixable = findings.filter(({ repair }) => repair !== undefined).length;
  const hint = fixable === 0 ? '' : typedHere(' Run `hookline doctor --fix` to fix some of them.');
  if (problems > 0) {
    const and = warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`;
    return `${paint.red(counted(problems, 'problem'))}${and}.${hint}`;
  }
  if (warnings > 0) {
    const open = findings.some(({ code }) => UNGUARDED.has(code));
    const guards = open ? 'Some installed agents are not guarded' : 'No problems found';
    return folded(`${guards}; ${counted(warnings, 'warning')}.${hint}`);
  }
  return paint.green('No problems found.');
}
