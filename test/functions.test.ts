import { readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';

/** A function that does not fit on a screen has a seam that was not found yet. */
const MAX_LINES = 50;

const root = new URL('../', import.meta.url);

const sources = ['src', 'web/src'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file)),
);

/** The functions that are longer, as `file:line: length`. Those inside a function count for it, too. */
function longFunctions(file: string, text: string): string[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const linesIn = (start: number, end: number) => text.slice(start, end).split('\n').length;
  const long: string[] = [];
  const measure = ({ start, end }: { start: number; end: number }) => {
    const lines = linesIn(start, end);
    if (lines > MAX_LINES) long.push(`${file}:${linesIn(0, start)}: ${lines} lines`);
  };
  // A method is a function expression in its class or object.
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(program);
  return long;
}

test('every function fits on a screen', () => {
  expect(sources.length).toBeGreaterThan(100);
  const long = sources.flatMap((file) => longFunctions(file, readFileSync(new URL(file, root), 'utf8')));
  expect(long).toEqual([]);
});

test.each([
  ['a declaration', 'export async function f(): Promise<void> {', '}'],
  ['an arrow', 'const f = <T,>(value: T): T => {', '};'],
  ['an expression', 'const f = function* () {', '};'],
  ['a method of an object', 'const o = { f() {', '} };'],
  ['a method of a class', 'class C { get f() {', '} }'],
])('%s is measured', (_, head, tail) => {
  const ofLines = (lines: number) => `\n${head}\n${'  call();\n'.repeat(lines - 2)}${tail}\n`;
  expect(longFunctions('a.ts', ofLines(MAX_LINES))).toEqual([]);
  expect(longFunctions('a.ts', ofLines(MAX_LINES + 1))).toEqual([`a.ts:2: ${MAX_LINES + 1} lines`]);
});
