import type { SimpleCommand } from '../../shell/analysis.ts';
import type { OwnProcess } from './processes.ts';

const SIGNALS = /kill|debugProcess|ptrace|attach|SIGUSR|prlimit|pidfd|psutil/i;

export function maySignal(code: string): boolean {
  return SIGNALS.test(code);
}

/** True if code that signals processes may hit this one: by number, by name, or among many. */
export function signals(code: string, command: SimpleCommand, { pid, names }: OwnProcess): boolean {
  const numbers = [code, ...givenTo(command)].flatMap(numbersIn);
  if (numbers.includes(pid)) return true;
  if (/\bkill\w*\s*\(?\s*(?:-1\b|[^(),]*,\s*-1\b)/.test(code)) return true;
  if (rangesIn(code).some(([from, to]) => from <= pid && pid <= to)) return true;
  // Code that lists all processes, or compares their names.
  if (!/process_iter|psutil\.pids|['"`]\/proc\/?(?:['"`]|\*|\[)/.test(code)) return false;
  const compared = [...code.matchAll(/(?:==|\bin\b|includes\()\s*\(?\s*['"]([^'"]+)['"]/g)].map(
    ([, name = '']) => name,
  );
  return compared.length === 0 || compared.some((name) => names.includes(name));
}

/** Where it can read a number from: its arguments, variables and input. */
function givenTo({ argv, assignments, stdin }: SimpleCommand): readonly string[] {
  return [
    ...argv.slice(1).map(({ text }) => text ?? ''),
    ...assignments.map(({ value }) => value ?? ''),
    stdin.text ?? '',
  ];
}

/** `4711`, `0x1267`, `-p4711`. */
export function numbersIn(text: string): readonly number[] {
  const written = /(?<![\w.])(?:0[xob][\da-f]+|\d+)(?![\w.])|(?<=^-[a-z])\d+/gi;
  return [...text.matchAll(written)].map(([digits]) => Number(digits));
}

/** `range(1, 99999)`, `1..99999`, `i < 99999`. */
function rangesIn(code: string): readonly (readonly [from: number, to: number])[] {
  const written = /\brange\(\s*(?:(\d+)\s*,\s*)?(\d+)|(\d+)\s*\.\.\.?\s*(\d+)|<=?\s*(\d+)/g;
  return [...code.matchAll(written)].map(([, from, to, first, last, limit]) => [
    Number(from ?? first ?? 0),
    Number(to ?? last ?? limit),
  ]);
}
