import type { FileEdit } from '../../agents/setup/setup.ts';
import { type ChangeLine, changedLines } from '../../model/changes.ts';
import { counted } from '../../model/text.ts';
import { paint } from './paint.ts';

const AROUND = 2;
/** In longer lines, a reader can't find a change. */
const LONG_LINE = 200;

/** The changes of an edit, as a person wants to see them before agreeing: changed lines with a little context. */
export function editLines({ path, before, after }: FileEdit): string[] {
  if (after === null) return [`${paint.red('delete')} ${path}`];
  if (before === null) {
    return [`${paint.green('create')} ${path}`, ...lines(after).map((line) => paint.green(`  + ${line}`))];
  }
  const shown = withLineBreaks(before, after);
  const note = shown ? paint.dim(' (shown with line breaks; the file keeps its long lines)') : '';
  const { from, to } = shown ?? { from: before, to: after };
  return [
    `${paint.yellow('change')} ${path}${note}`,
    ...changedLines(lines(from), lines(to), AROUND).map(painted),
  ];
}

/** The same in short: `change settings.json (+3 −1 lines)`. */
export function editSummary({ path, before, after }: FileEdit): string {
  if (after === null) return `${paint.red('delete')} ${path}`;
  if (before === null) return `${paint.green('create')} ${path} (+${counted(lines(after).length, 'line')})`;
  const { from, to } = withLineBreaks(before, after) ?? { from: before, to: after };
  const changes = changedLines(lines(from), lines(to), 0);
  const count = (mark: ChangeLine['mark']) => changes.filter((line) => line.mark === mark).length;
  const [more, less] = [count('+'), count('-')];
  const sum = less > 0 ? `${more} −${less} lines` : counted(more, 'line');
  return `${paint.yellow('change')} ${path} (+${sum})`;
}

/** Reformats one-line JSON with a line for each value. Null for other texts. */
function withLineBreaks(before: string, after: string): { from: string; to: string } | null {
  if (![before, after].flatMap(lines).some((line) => line.length > LONG_LINE)) return null;
  try {
    const [from = '', to = ''] = [before, after].map((text) => JSON.stringify(JSON.parse(text), null, 2));
    return { from, to };
  } catch {
    return null;
  }
}

function painted({ mark, text }: ChangeLine): string {
  const line = `  ${mark} ${text}`;
  return mark === '-' ? paint.red(line) : mark === '+' ? paint.green(line) : line;
}

function lines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}
