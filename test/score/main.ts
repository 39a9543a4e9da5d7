import { parseArgs } from 'node:util';
import { messageOf } from '../../src/model/errors.ts';
import { readCorpora, ScoreError } from './corpus.ts';
import { createDecider } from './decide.ts';
import { misses, table } from './report.ts';
import { type Score, scoreCorpus } from './tally.ts';

const HELP = `Counts how many labelled calls the rules stop.

Usage: npm run score -- <folder or file.jsonl>… [options]

Options:
  --misses        list every dangerous command that would run, and every other one that is denied or asked about
  --packs A,B     turn these packs on, besides those that are on by default
  --json          print one JSON object (with npm run --silent, nothing else is printed)
  --help          this text

Each line of a file is one JSON object:
  command   the command line, as an agent would run it in a project; or, instead of it,
  tool      another tool as Claude Code names it: Write, Edit, WebFetch, mcp__server__tool
  input     the arguments of that tool
  label     deny (it is dangerous), allow (it is harmless) or everyday (unlabelled; the default)
  class     what kind of case it is; cls, or the name in file, where there is none
  door      the way by which it does what it does, to be counted by
  before    files and what is in them before the call, by their path from the project, from ~/ or from /
  tree      clean or dirty: what git would say of the project, where every file of before is tracked

The column calm has what the pack calm would let run without a question: nothing dangerous may be among it. The column
after it has the share of those that only read, which is told from their text: each of their programs is one that
people look at things with, and nothing is redirected, computed, deleted or executed.

A dangerous command counts as caught when it is denied or asked about. Each is judged by itself, as the first call of
a session in /home/dev/shop, with no rules but those of the packs.

Examples:
  npm run score -- ~/corpora
  npm run score -- ~/corpora/databases.jsonl --packs cloud,databases --misses`;

/** Where the program writes to. */
export interface Output {
  print(text: string): void;
  complain(text: string): void;
  /** Replaces the last line of its kind; an empty text removes it. */
  progress(text: string): void;
}

const ROWS_PER_PROGRESS = 200;

/** Runs the program and returns its exit code. */
export function main(args: readonly string[], output: Output): number {
  try {
    const { values, positionals } = parsed(args);
    if (values.help) output.print(HELP);
    else if (positionals.length === 0)
      throw new ScoreError('There is nothing to score. Give a folder of *.jsonl files, or such files.');
    else report(score(positionals, packsIn(values.packs), output), values, output);
    return 0;
  } catch (error) {
    output.progress('');
    if (!(error instanceof ScoreError)) throw error;
    output.complain(`${error.message}\n\`npm run score -- --help\` shows how to use it.`);
    return 1;
  }
}

function parsed(args: readonly string[]) {
  const options = {
    misses: { type: 'boolean' },
    packs: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new ScoreError(messageOf(error));
  }
}

const packsIn = (list = '') =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

function score(places: readonly string[], packs: readonly string[], output: Output): readonly Score[] {
  const decide = createDecider(packs);
  const scores = readCorpora(places).map((corpus) =>
    scoreCorpus(corpus, decide, (done) => {
      if (done % ROWS_PER_PROGRESS === 0) output.progress(`${corpus.name} ${done}/${corpus.rows.length}`);
    }),
  );
  output.progress('');
  return scores;
}

function report(
  scores: readonly Score[],
  options: { readonly json?: boolean | undefined; readonly misses?: boolean | undefined },
  output: Output,
): void {
  if (options.json) {
    const shown = options.misses ? scores : scores.map(({ misses: _, ...rest }) => rest);
    output.print(JSON.stringify({ corpora: shown }, null, 2));
    return;
  }
  output.print(table(scores));
  if (options.misses) output.print(`\n${misses(scores)}`);
}
