import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AGENTS } from '../../agents/_registry.ts';
import { readHistory } from '../../client/history.ts';
import { openHomeRules } from '../../engine/create.ts';
import { type Backtest, backtest } from '../../hindsight/backtest.ts';
import { createJudge } from '../../hindsight/judge.ts';
import { readConfig } from '../../home/config.ts';
import { homeFolder, homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import type { RuleBook } from '../../rules/book.ts';
import { realWorld } from '../../rules/world.ts';
import { countCalls, recordedCalls } from '../../store/recorded-calls.ts';
import { backtestJson, backtestLines } from '../backtest-lines.ts';
import { defineCommand } from '../command.ts';
import { progressBar } from '../progress.ts';
import { sinceOf } from '../span.ts';

export default defineCommand({
  name: 'backtest',
  summary: 'What would changed rules have done to the calls that were recorded? Nothing is run.',
  options: {
    rules: {
      type: 'string',
      value: 'DIR|FILE',
      description:
        'A folder instead of your rules, or a file instead of yours of that name. Without it, the rules as they are now.',
    },
    since: { type: 'string', value: '30m|8h|7d', description: 'Only calls since then (all).' },
    json: { type: 'boolean', description: 'As one JSON object, with every call that changes.' },
  },
  examples: [
    ['hookline backtest', 'by the rules as they are now'],
    ['hookline backtest --rules ./draft.yaml --since 7d', 'before a draft is put among your rules'],
  ],
  async run({ rules, since, json }) {
    const paths = homePaths(homeFolder());
    const config = readConfig(paths.config);
    const book = openHomeRules(paths, config, rules === undefined ? {} : placeOf(resolve(rules)));
    refuseBrokenRules(book);
    const { home, real, branchOf } = realWorld(paths.unlock);
    const judge = createJudge({
      agents: AGENTS,
      rules: book,
      failure: config.failure,
      world: { home, real, branchOf },
    });
    const from = sinceOf(since, 'backtest');
    const result = await readHistory(paths, async (db): Promise<Backtest> => {
      const progress = progressBar(countCalls(db, from));
      try {
        return await backtest(recordedCalls(db, from), judge, progress.at);
      } finally {
        progress.end();
      }
    });
    console.log(json ? JSON.stringify(backtestJson(result)) : backtestLines(result).join('\n'));
    return 0;
  },
});

function placeOf(path: string): { readonly folder: string } | { readonly draft: string } {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new HooklineError('NOT_FOUND', `There is no ${path}.`);
  return stat.isDirectory() ? { folder: path } : { draft: path };
}

/** A file that is read in part would make for a result that is right in part. */
function refuseBrokenRules(book: RuleBook): void {
  const [problem] = book.inForce(null).problems;
  if (problem) throw new HooklineError('USAGE', `${problem.where}: ${problem.message}`);
}
