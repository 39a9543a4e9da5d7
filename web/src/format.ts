import { dayOf, minuteOf } from '../../src/model/text.ts';

/** 14:03:09 */
export function clock(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

/** 14:03 */
export function shortClock(at: number): string {
  return clock(at).slice(0, 5);
}

/** 14:03, or 13 Nov for any day but today. */
export function shortMoment(at: number, now: number = Date.now()): string {
  if (dayOf(at) === dayOf(now)) return shortClock(at);
  return new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

/** Today by the clock, any other day by its date. */
export function moment(at: number, now: number = Date.now()): string {
  return dayOf(at) === dayOf(now) ? clock(at) : minuteOf(at);
}

const DAY_MS = 86_400_000;

/** Today, Yesterday, or Friday 13 Nov. */
export function dayName(at: number, now: number): string {
  const day = dayOf(at);
  if (day === dayOf(now)) return 'Today';
  if (day === dayOf(now - DAY_MS)) return 'Yesterday';
  return new Date(at).toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'short' });
}

/** How long ago, roughly. */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1_000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** 46 s, 13 min, 1 h 12 min: a rough duration. */
export function lasting(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** 0:48, 12:05: the time left. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const minutes = Math.floor(seconds / 60);
  const two = (n: number) => String(n).padStart(2, '0');
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

export function counted(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** Replaces unpaired surrogates, because encodeURIComponent throws on them. */
export function inAddress(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\ufffd'));
}

export function sessionLink(one: { readonly source: string; readonly sessionId: string }): string {
  return `#/session/${inAddress(one.source)}/${inAddress(one.sessionId)}`;
}

export function eventLink(id: string): string {
  return `#/event/${encodeURIComponent(id)}`;
}

export function ruleLink(id: string): string {
  return `#/rules/rule/${encodeURIComponent(id)}`;
}
