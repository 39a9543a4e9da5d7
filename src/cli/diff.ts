import type { FileEdit } from '../agents/setup.ts';
import { paint } from './paint.ts';

const AROUND = 2;

/** What an edit changes, as a person wants to see it before agreeing: the changed lines and a little around them. */
export function editLines({ path, before, after }: FileEdit): string[] {
  if (after === null) return [`${paint.red('delete')} ${path}`];
  if (before === null) {
    return [`${paint.green('create')} ${path}`, ...lines(after).map((line) => paint.green(`  + ${line}`))];
  }
  const old = lines(before);
  const now = lines(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return [
    `${paint.yellow('change')} ${path}`,
    ...now.slice(Math.max(0, head - AROUND), head).map((line) => `    ${line}`),
    ...old.slice(head, old.length - tail).map((line) => paint.red(`  - ${line}`)),
    ...now.slice(head, now.length - tail).map((line) => paint.green(`  + ${line}`)),
    ...now.slice(now.length - tail, now.length - tail + AROUND).map((line) => `    ${line}`),
  ];
}

function lines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}
