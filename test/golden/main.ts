import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { newIdOf } from '../../src/rules/gone.ts';
import { GOLDEN, readInputs } from './inputs.ts';
import { createJudge, goldenLine, type Result } from './results.ts';

const HELP = `Compares the analysis of many command lines with an earlier one.

Usage: npm run golden -- [folder or file.jsonl]… --save FILE      before a change
       npm run golden -- [folder or file.jsonl]… --against FILE   after it
       npm run golden -- --write                                  accept what has changed

It judges every example of the packs, every text in the tests of src/shell, src/rules and src/redact, and the commands in
the files given, with a fixed folder, home and environment. FILE holds everything in full: keep it out of the repository.
test/golden/golden.txt has hashes only; npm run test:deep compares with it.`;

/** Runs the program and returns its exit code. */
export function main(args: readonly string[], print: (text: string) => void): number {
  const options = {
    save: { type: 'string' },
    against: { type: 'string' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const { save, against, write, help } = values;
  if (help || (save === undefined && against === undefined && !write)) {
    print(HELP);
    return help ? 0 : 1;
  }
  const results = readInputs(positionals).map(createJudge());
  if (save !== undefined) writeFileSync(save, results.map((one) => JSON.stringify(one)).join('\n'));
  if (write) writeFileSync(GOLDEN, `${results.map(goldenLine).sort().join('\n')}\n`);
  return against === undefined ? 0 : compare(readResults(against), results, print);
}

function readResults(file: string): ReadonlyMap<string, Result> {
  const lines = readFileSync(file, 'utf8').split('\n');
  return new Map(lines.map((line) => JSON.parse(line)).map((result: Result) => [result.text, result]));
}

function compare(
  before: ReadonlyMap<string, Result>,
  results: readonly Result[],
  print: (text: string) => void,
): number {
  let [same, differing] = [0, 0];
  const moved = new Map<string, number>();
  for (const now of results) {
    const then = before.get(now.text);
    if (then === undefined) continue;
    const told = differences(inIdsOfToday(then, moved), now);
    if (told.length === 0) same++;
    else {
      differing++;
      print([JSON.stringify(now.text), ...told].join('\n  '));
    }
  }
  for (const [ids, lines] of moved) print(`${ids}: ${lines}`);
  print(`${same} the same, ${differing} different, ${results.length - same - differing} new.`);
  return differing === 0 ? 0 : 1;
}

/** What came of it before, in the ids that its rules have now: each merged rule once. */
function inIdsOfToday(then: Result, moved: Map<string, number>): Result {
  const rules = then.rules.map((one) => {
    const [decision = '', id = ''] = one.split(' ');
    const now = newIdOf(id);
    if (now === null) return one;
    moved.set(`${id} → ${now}`, (moved.get(`${id} → ${now}`) ?? 0) + 1);
    return `${decision} ${now}`;
  });
  return { ...then, rules: [...new Set(rules)] };
}

function differences(then: Result, now: Result): string[] {
  const lists = (['rules', 'effects', 'deeds'] as const).flatMap((part) => [
    ...without(then[part], now[part]).map((one) => `- ${one}`),
    ...without(now[part], then[part]).map((one) => `+ ${one}`),
  ]);
  const others = (['analysis', 'redacted'] as const).filter((part) => then[part] !== now[part]);
  return [...lists, ...others.map((part) => `${part} differs`)];
}

function without(list: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return list.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
