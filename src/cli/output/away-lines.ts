import { type AwaySummary, awaySentence } from '../../history/sessions/away-summary.ts';
import { clockTime, minuteOf } from '../../model/text.ts';
import { terminalLine } from '../../terminal/visible.ts';
import { paint } from './paint.ts';
import { rowLine } from './row-line.ts';

/** What happened during away mode, for a terminal. */
export function awayLines(summary: AwaySummary, title = 'While you were away'): readonly string[] {
  const { since, until, denied, deniedCalls, answered, expired } = summary;
  const more = deniedCalls - denied.length;
  return [
    `${paint.bold(title)}  ${paint.dim(`${minuteOf(Date.parse(since))} to ${minuteOf(Date.parse(until))}`)}`,
    awaySentence(summary),
    ...section(
      'Denied',
      denied.map((row) => rowLine(row)),
    ),
    ...(more > 0 ? [paint.dim(`and ${more} before: hookline events --denied`)] : []),
    ...section('Answered', answered.map(answerLine)),
    ...section('Expired', expired.map(answerLine)),
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', paint.bold(title), ...lines];
}

function answerLine({ at, source, place, subject, state, by }: AwaySummary['answered'][number]): string {
  const colour = state === 'allowed' ? paint.green : state === 'denied' ? paint.red : paint.yellow;
  const end = state === 'expired' ? 'no answer' : `${state} by ${by}`;
  const who = [source, place].filter(Boolean).join(' · ');
  return terminalLine(`${paint.dim(clockTime(Date.parse(at)))}  ${who}  ${subject}  ${colour(end)}`);
}
