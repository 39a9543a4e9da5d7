import { paint } from './paint.ts';

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const HEIGHTS = '▁▂▃▄▅▆▇█';

/** Length of the longest bar, in cells. */
const BAR = 24;

/** Bars on one scale, with their names and numbers. */
export function bars(
  rows: readonly { readonly name: string; readonly n: number; readonly note?: string }[],
): string[] {
  const most = Math.max(1, ...rows.map(({ n }) => n));
  const longest = Math.min(44, Math.max(0, ...rows.map(({ name }) => name.length)));
  return rows.map(({ name, n, note = '' }) => {
    const shown = name.length > longest ? `…${name.slice(1 - longest)}` : name.padEnd(longest);
    return `  ${shown}  ${paint.cyan(bar((n / most) * BAR).padEnd(BAR))} ${n}${note}`;
  });
}

function bar(length: number): string {
  const eighths = Math.max(1, Math.round(length * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

/** A row of columns, one per number. */
export function sparkline(numbers: readonly number[]): string {
  const most = Math.max(1, ...numbers);
  return numbers.map((n) => HEIGHTS[Math.min(7, Math.floor((n / most) * 7.999))] ?? ' ').join('');
}
