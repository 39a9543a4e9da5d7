import { clockTime, oneLine } from '../../model/text.ts';
import { storedSubject } from '../../store/read/canonical-event.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';
import { terminalLine } from '../../terminal/visible.ts';
import { paint } from './paint.ts';

/** One event on one line, as `hookline events` and the foreground daemon print it. */
export function eventLine(event: StoredEvent): string {
  const time = clockTime(event.timestamp);
  const subject = [event.tool?.name, oneLine(storedSubject(event), 70)].filter(Boolean).join(' ');
  const by = decidersOf(event).join(', ');
  const degraded = event.degraded.length > 0 ? paint.yellow(` (${event.degraded.length} degraded)`) : '';
  const failed = event.opinions.filter(({ kind }) => kind === 'failure').map(({ by }) => by);
  const trouble = failed.length > 0 ? paint.yellow(` (${failed.join(', ')} failed)`) : '';
  const line = [
    paint.dim(time),
    event.source.padEnd(7),
    paint.dim(event.sessionId.slice(0, 8).padEnd(8)),
    paint.dim(String(event.sequence).padStart(3)),
    event.type.padEnd(18),
    `${verdict(event.response.decision)}${by === '' ? '' : paint.dim(` ${by}`)}${degraded}${trouble}`,
    subject,
    paint.dim(event.id),
  ];
  return terminalLine(line.join(' '));
}

/** The rules and hooks that decided; if a person decided or there was no decision, all rules that contributed. */
function decidersOf({ response, opinions, rules }: StoredEvent): readonly string[] {
  const { decision } = response;
  const deciders = opinions.filter(
    ({ kind, observing, response: own }) =>
      (kind === 'rule' || kind === 'hook') && !observing && decision !== 'none' && own.decision === decision,
  );
  return deciders.length > 0 ? [...new Set(deciders.map(({ by }) => by))] : rules;
}

/** A decision in its color: colors only mean states. */
export function verdict(decision: string): string {
  if (decision === 'deny') return paint.red('deny');
  if (decision === 'ask') return paint.yellow('ask');
  if (decision === 'allow') return paint.green('allow');
  return paint.dim('–');
}
