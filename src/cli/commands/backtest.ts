import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AGENTS } from '../../agents/_registry.ts';
import { readHistory } from '../../client/history.ts';
import { type Backtest, backtest } from '../../history/backtest.ts';
import { countCalls, recordedCalls } from '../../history/recorded-calls.ts';
import { createReplay } from '../../history/replay.ts';
import { readConfig } from '../../home/config.ts';
import { openHomeRules, worldOf } from '../../home/engine.ts';
import { homeFolder, homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import type { RuleSet } from '../../rules/rule-set.ts';
import { backtestJson, backtestLines } from '../backtest-lines.ts';
import { defineCommand } from '../command.ts';
import { progressBar } from '../progress.ts';
import { sinceOf, sinceOption } from '../values.ts';

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
    since: sinceOption('all calls'),
    json: { type: 'boolean', description: 'As one JSON object, with every call that changes.' },
  },
  examples: [
    ['hookline backtest', 'by the rules as they are now'],
    ['hookline backtest --rules ./draft.yaml --since 7d', 'before a draft is put among your rules'],
  ],
  async run({ rules, since, json }) {
    const paths = homePaths(homeFolder());
    const config = readConfig(paths.config);
    const ruleSet = openHomeRules(paths, config, rules === undefined ? {} : placeOf(resolve(rules)));
    refuseBrokenRules(ruleSet);
    const { home, real, branchOf, runOptions } = worldOf();
    const replay = createReplay({
      agents: AGENTS,
      rules: ruleSet,
      failure: config.failure,
      world: { home, real, branchOf, runOptions },
    });
    const from = sinceOf('backtest', since, Date.now()) ?? 0;
    const result = await readHistory(paths, async (db): Promise<Backtest> => {
      const progress = progressBar(countCalls(db, from));
      try {
        return await backtest(recordedCalls(db, from), replay, progress.at);
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
function refuseBrokenRules(ruleSet: RuleSet): void {
  const [problem] = ruleSet.inForce(null).problems;
  if (problem) throw new HooklineError('USAGE', `${problem.where}: ${problem.message}`);
}
