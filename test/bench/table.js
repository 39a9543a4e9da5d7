import { isMet } from './figures.js';

/** @typedef {import('./figures.js').Figure} Figure */

const HEAD = ['', 'value', 'ratio', 'target', ''];
const RIGHT = new Set([1, 2]);

/**
 * One table of all figures, a block for each bench.
 *
 * @param {ReadonlyMap<string, readonly Figure[]>} benches
 */
export function tableOf(benches) {
  const blocks = [...benches].map(([name, figures]) => ({ name, rows: figures.map(rowOf) }));
  const rows = [HEAD, ...blocks.flatMap((block) => block.rows)];
  // The last column is followed by nothing, so it may be as long as it likes.
  const widths = HEAD.slice(0, -1).map((_, at) => Math.max(...rows.map((row) => row[at].length)));
  const lineOf = (row) =>
    row
      .map((cell, at) => (RIGHT.has(at) ? cell.padStart(widths[at]) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [
    lineOf(HEAD),
    ...blocks.flatMap(({ name, rows: own }) => ['', `# ${name}`, ...own.map(lineOf)]),
  ].join('\n');
}

/** @param {Figure} figure */
function rowOf(figure) {
  if ('skipped' in figure) return [figure.name, '', '', '', `SKIPPED: ${figure.skipped}`];
  if ('failed' in figure) return [figure.name, '', '', '', `FAILED: ${figure.failed}`];
  const { name, value, unit, ratio, to, target } = figure;
  const met = isMet(figure);
  const remark = [to === undefined ? '' : `to ${to}`, met === false ? 'MISSED' : ''].filter(
    (one) => one !== '',
  );
  return [
    name,
    `${rounded(value)} ${unit}`,
    ratio === undefined ? '' : `${rounded(ratio)} ×`,
    target === undefined ? '' : targetText(target, unit),
    remark.join(', '),
  ];
}

/** @param {import('./figures.js').Measured & { bench: string }} missed */
export function limitText({ bench, name, value, ratio, unit, to, target }) {
  const measured = `${rounded(value)} ${unit}, ${rounded(ratio)} × that of ${to}`;
  return `${bench}, ${name}: ${measured} in the best of all tries. The limit is ${targetText(target, unit)}.`;
}

function targetText(target, unit) {
  const limit = 'most' in target ? `≤ ${target.most}` : `≥ ${target.least}`;
  return `${limit} ${target.of === 'ratio' ? '×' : unit}`;
}

/** To three significant figures. */
function rounded(number) {
  return Math.abs(number) >= 100 ? String(Math.round(number)) : String(Number(number.toPrecision(3)));
}
