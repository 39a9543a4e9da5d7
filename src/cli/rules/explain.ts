import { deedOfEffect, deedsOf } from '../../rules/deeds/deeds.ts';
import { effectTags } from '../../rules/match/effect-tags.ts';
import type { Analysis, Effect } from '../../shell/analysis.ts';
import { folded } from '../../terminal/fold.ts';
import { paint } from '../output/paint.ts';

const COVERAGE = {
  complete: 'Fully analyzed: every command is known.',
  partial: 'Partly analyzed: other commands may run.',
  failed: "Can't be parsed. No rule can allow it.",
  'over-budget': 'Too large to analyze in full. No rule can allow it.',
} as const;

/** Explains how Hookline analyzes a command line. */
export function explainCommand({ coverage, why, commands, effects }: Analysis): string[] {
  const shown = effects.filter(({ kind }) => kind !== 'run');
  const byEffects = effects.flatMap((effect) => deedOfEffect(effectTags(effect)) ?? []);
  const deeds = new Set([...commands.flatMap(deedsOf), ...byEffects]);
  return [
    COVERAGE[coverage],
    ...why.map((one) => paint.yellow(`  ${one}`)),
    '',
    paint.bold('Commands'),
    ...commands.map(({ name, argv, via, guessed }) => {
      const words = argv.slice(1).map(({ text, raw }) => text ?? paint.yellow(raw));
      const around = via.length > 0 ? paint.dim(` via ${via.join(' ')}`) : '';
      return `  ${paint.bold(name ?? '?')} ${words.join(' ')}${around}${guessed ? paint.dim(' (likely)') : ''}`;
    }),
    '',
    paint.bold('Effects'),
    ...(shown.length === 0
      ? ['  no known effects']
      : shown.map((effect) => folded(`  ${effectLine(effect)}`, 13))),
    ...(deeds.size === 0 ? [] : ['', paint.bold('Act and object'), ...[...deeds].map((deed) => `  ${deed}`)]),
  ];
}

function effectLine(effect: Effect): string {
  const { kind, command: _, ...rest } = effect;
  const details = Object.entries(rest)
    .filter(([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0))
    .map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return `${kind.padEnd(10)} ${details.join(', ')}`;
}
