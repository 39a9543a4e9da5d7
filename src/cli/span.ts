import { usage } from './command.ts';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A length of time as people write it, in ms. */
export function spanOf(text: string, command: string, option: string): number {
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(text) ?? [];
  const ms = UNITS[unit];
  if (count === undefined || ms === undefined)
    throw usage(command, `${option} is a time as in 30m, 8h or 7d.`);
  return Number(count) * ms;
}

/** The time that long ago; the beginning of all time where nothing is said. */
export function sinceOf(text: string | undefined, command: string): number {
  return text === undefined ? 0 : Date.now() - spanOf(text, command, '--since');
}
