import type { Counts, Score } from './tally.ts';

const HEADER = ['corpus', 'label', 'rows', 'caught', 'denied', 'asked', 'calm', 'of readers'];

/** A line for each label of each corpus, and below it one for each of its doors and classes. */
export function table(scores: readonly Score[]): string {
  const lines = scores.flatMap(({ corpus, totals, doors, classes }) => [
    ...linesOf(corpus, totals),
    ...doors.flatMap((one) => linesOf(`  by ${one.name}`, one.totals)),
    ...classes.flatMap((one) => linesOf(`  ${one.name}`, one.totals)),
  ]);
  const widths = HEADER.map((_, at) =>
    Math.max(...[HEADER, ...lines].map((cells) => (cells[at] ?? '').length)),
  );
  return [HEADER, ...lines].map((cells) => format(cells, widths)).join('\n');
}

function linesOf(name: string, totals: readonly Counts[]): string[][] {
  return totals.map(({ label, rows, caught, denied, asked, calm, readers, calmReaders }, at) => [
    at === 0 ? name : '',
    label,
    String(rows),
    // Nothing is to be caught among commands that are harmless or everyday.
    label === 'deny' ? share(caught, rows) : '',
    share(denied, rows),
    share(asked, rows),
    share(calm, rows),
    // How many of the commands that only read are calm.
    readers === 0 ? '' : share(calmReaders, readers),
  ]);
}

function share(part: number, whole: number): string {
  return `${part} ${((100 * part) / whole).toFixed(1).padStart(5)} %`;
}

function format(cells: readonly string[], widths: readonly number[]): string {
  const aligned = cells.map((cell, at) =>
    at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
  );
  return aligned.join('  ').trimEnd();
}

/** A line for each row that was judged otherwise than its label says. */
export function misses(scores: readonly Score[]): string {
  const all = scores.flatMap((score) => score.misses);
  if (all.length === 0) return 'No misses.';
  return all
    .map(({ corpus, line, kind, rules, command }) => {
      const by = rules.length > 0 ? ` by ${rules.join(', ')}` : '';
      return `${corpus}:${line}: ${kind}${by}: ${oneLine(command)}`;
    })
    .join('\n');
}

/** Quoted where a terminal would show something else than what is there. */
function oneLine(command: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal must not be sent.
  return /[\x00-\x1f\x7f]/.test(command) ? JSON.stringify(command) : command;
}
