import type { StoredEvent } from '../store/stored-event.ts';
import { paint } from './paint.ts';

/** One event on one line, as `hookline events` and the foreground daemon print it. */
export function eventLine(event: StoredEvent): string {
  const time = new Date(event.timestamp).toTimeString().slice(0, 8);
  const subject = event.tool ? `${event.tool.name} ${oneLine(subjectOf(event.tool.input))}` : '';
  const rules = event.rules.length > 0 ? paint.dim(` ${event.rules.join(', ')}`) : '';
  const degraded = event.degraded.length > 0 ? paint.yellow(` (${event.degraded.length} degraded)`) : '';
  const failed = event.opinions.filter(({ kind }) => kind === 'failure').map(({ by }) => by);
  const trouble = failed.length > 0 ? paint.yellow(` (${failed.join(', ')} failed)`) : '';
  return [
    paint.dim(time),
    event.source.padEnd(7),
    paint.dim(event.sessionId.slice(0, 8).padEnd(8)),
    paint.dim(String(event.sequence).padStart(3)),
    event.type.padEnd(18),
    `${verdict(event.response.decision)}${rules}${degraded}${trouble}`,
    subject,
    paint.dim(event.id),
  ].join(' ');
}

/** A decision in its colour: colour means state and nothing else. */
export function verdict(decision: string): string {
  if (decision === 'deny') return paint.red('deny');
  if (decision === 'ask') return paint.yellow('ask');
  if (decision === 'allow') return paint.green('allow');
  return paint.dim('–');
}

function subjectOf(input: Readonly<Record<string, unknown>>): string {
  const first = ['command', 'file_path', 'path', 'url', 'query', 'pattern'].map((key) => input[key]);
  return String(first.find((value) => typeof value === 'string') ?? JSON.stringify(input));
}

function oneLine(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ');
  return flat.length > 70 ? `${flat.slice(0, 69)}…` : flat;
}
