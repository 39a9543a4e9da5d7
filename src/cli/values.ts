import { readFileSync } from 'node:fs';
import { HooklineError } from '../model/errors.ts';
import { usage, type Value, value } from './command.ts';

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const MOMENTS = '30m, 12h, 7d, 2w, yesterday or a date';

/** An option that `sinceOf` can parse; `note` says what applies without it. */
export function sinceOption(note: string): Value {
  return value('WHEN', `Since this time: ${MOMENTS} (default: ${note}).`);
}

/** The time that `--since` names, in ms since the epoch; undefined if it wasn't given. */
export function sinceOf(command: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const moment = momentOf(text.trim(), now);
  if (moment === null) throw usage(command, `--since takes ${MOMENTS}, not "${text}".`);
  return moment;
}

/** An option that `untilOf` can parse. */
export function untilOption(): Value {
  return value('WHEN', 'Until this time; a date includes the whole day.');
}

/** The end of the range that `--until` names: for a date, the end of that day. */
export function untilOf(command: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const day = dayOf(text.trim(), now);
  const moment = day === null ? momentOf(text.trim(), now) : midnight(day, -1);
  if (moment === null) throw usage(command, `--until takes ${MOMENTS}, not "${text}".`);
  return moment;
}

function momentOf(text: string, now: number): number | null {
  const span = spanIn(text);
  if (span !== null) return now - span;
  const day = dayOf(text, now);
  if (day !== null) return day;
  // Without a year it is not a date: JavaScript would take "7" for July 2001.
  if (!/\d{4}/.test(text)) return null;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : moment;
}

/** The local start of a day; JavaScript's default would be midnight UTC. */
function dayOf(text: string, now: number): number | null {
  if (text === 'today') return midnight(now, 0);
  if (text === 'yesterday') return midnight(now, 1);
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const moment = Date.parse(`${text}T00:00`);
  return Number.isNaN(moment) ? null : moment;
}

/** Sets the date instead of subtracting, because days with a clock change are shorter or longer. */
function midnight(now: number, daysAgo: number): number {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  return day.setDate(day.getDate() - daysAgo);
}

/** A duration, in ms. */
export function spanOf(command: string, name: string, text: string, examples = '30m, 8h, 7d or 2w'): number {
  const span = spanIn(text.trim());
  if (span === null) throw usage(command, `--${name} takes a time as in ${examples}, not "${text}".`);
  return span;
}

function spanIn(text: string): number | null {
  const [, count, unit = ''] = /^(\d+)([smhdw])$/.exec(text) ?? [];
  const ms = UNITS[unit];
  return count === undefined || ms === undefined ? null : Number(count) * ms;
}

/** An integer of at least `least`. */
export function countOf(
  command: string,
  name: string,
  text: string | undefined,
  otherwise: number,
  least = 0,
): number {
  if (text === undefined) return otherwise;
  if (/^\d+$/.test(text) && Number(text) >= least) return Number(text);
  throw usage(command, `--${name} takes a number${least > 0 ? ` from ${least} on` : ''}, not "${text}".`);
}

/** The content of the file that an option names. */
export function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new HooklineError('NOT_FOUND', `Can't read ${path}.`, { cause, hint: 'Check the path.' });
  }
}
