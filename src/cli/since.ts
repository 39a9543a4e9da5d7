import type { HooklineError } from '../model/errors.ts';
import { usage } from './command.ts';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `7d`, `12h`, `2026-11-01`: the moment from which on, in ms since the epoch. */
export function sinceOf(command: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return now - Number(count) * (UNITS[unit] ?? 0);
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) throw wrong(command, text);
  return moment;
}

function wrong(command: string, text: string): HooklineError {
  return usage(command, `--since takes 30m, 12h, 7d, 2w or a date, not "${text}".`);
}

/** A whole number that is not negative. */
export function countOf(command: string, name: string, text: string | undefined, otherwise: number): number {
  const count = text === undefined ? otherwise : Number(text);
  if (!Number.isInteger(count) || count < 0) throw usage(command, `--${name} takes a number, not "${text}".`);
  return count;
}
