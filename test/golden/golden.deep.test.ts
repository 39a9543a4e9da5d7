import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GOLDEN, readInputs } from './inputs.ts';
import { createJudge, goldenLine } from './results.ts';

const golden = new Map(
  readFileSync(GOLDEN, 'utf8')
    .trim()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(' ')), line]),
);

test('every command line gives the accepted result', () => {
  const judge = createJudge();
  const results = readInputs([]).map((input) => ({ text: input.text, line: goldenLine(judge(input)) }));
  const met = results.flatMap(({ text, line }) => {
    const before = golden.get(line.slice(0, line.indexOf(' ')));
    return before === undefined ? [] : [{ text, isSame: before === line }];
  });
  // What tests have got since is not in the file. With little else, nothing would be compared.
  expect(met.length).toBeGreaterThan(golden.size * 0.8);
  // `npm run golden -- --help` says how to see what has changed, and how to accept it.
  expect(met.filter(({ isSame }) => !isSame).map(({ text }) => text)).toEqual([]);
});
