import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AGENTS } from '../../agents/_registry.ts';
import { readHistory } from '../../client/history.ts';
import { eventsWithFate } from '../../history/calls/list-calls.ts';
import { type Backtest, backtest, onlyAmong } from '../../history/replay/backtest.ts';
import { recordedCalls } from '../../history/replay/recorded-calls.ts';
import { createReplay } from '../../history/replay/replay.ts';
import { configInForce } from '../../home/confirmed/in-force.ts';
import { openHomeRules, worldOf } from '../../home/engine.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import type { RuleSet } from '../../rules/rule-set.ts';
import { countEvents } from '../../store/read/queries.ts';
import { defineCommand, flag, value } from '../command.ts';
import { FATE_OPTIONS, fatesOf, limitOf, readTimes, WHERE_OPTIONS, whereOf } from '../filters.ts';
import { progressBar } from '../output/progress.ts';
import { backtestJson, backtestLines, EXAMPLES } from './backtest-lines.ts';

export default defineCommand({
  name: 'backtest',
  summary: 'Test changed rules against recorded calls. Runs no commands.',
  options: {
    rules: value(
      'DIR|FILE',
      'Directory to use instead of your rules, or a file that replaces yours of the same name (default: current rules).',
    ),
    ...WHERE_OPTIONS,
    ...FATE_OPTIONS,
    limit: value('N', 'Show at most N examples per kind (default: 5).'),
    json: flag('As one JSON object, with every changed call.'),
  },
  examples: [
    ['hookline rules backtest', 'with the current rules'],
    ['hookline rules backtest --rules ./draft.yaml --since 2w', 'test a draft before adding it'],
    ['hookline rules backtest --project . --agent codex', 'calls of one agent in this project'],
  ],
  async run({ rules, json, limit, ...filters }) {
    const now = Date.now();
    readTimes('backtest', filters, now);
    const examples = limitOf('backtest', limit, EXAMPLES);
    const paths = homePaths();
    const config = configInForce(paths);
    const ruleSet = openHomeRules(paths, config, rules === undefined ? {} : rulesAt(resolve(rules)));
    refuseBrokenRules(ruleSet);
    const { home, real, branchOf, runOptions, readingTools } = worldOf();
    const replay = createReplay({
      agents: AGENTS,
      rules: ruleSet,
      failure: config.failure,
      world: { home, real, branchOf, runOptions, ...(readingTools ? { readingTools } : {}) },
    });
    const result = await readHistory(paths, async (db): Promise<Backtest> => {
      const where = whereOf('backtest', db, filters, now);
      const progress = progressBar(countEvents(db, where));
      try {
        const all = await backtest(recordedCalls(db, where), replay, progress.at);
        const events = eventsWithFate(db, where, fatesOf(filters), now);
        return events ? onlyAmong(all, events) : all;
      } finally {
        progress.end();
      }
    });
    console.log(json ? JSON.stringify(backtestJson(result)) : backtestLines(result, examples).join('\n'));
    return 0;
  },
});

function rulesAt(path: string): { readonly folder: string } | { readonly draft: string } {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new HooklineError('NOT_FOUND', `File not found: ${path}.`);
  return stat.isDirectory() ? { folder: path } : { draft: path };
}

/** A file that is read in part would give a result that is right in part. */
function refuseBrokenRules(ruleSet: RuleSet): void {
  const [problem] = ruleSet.inForce(null).problems;
  if (problem) throw new HooklineError('USAGE', `${problem.where}: ${problem.message}`);
}
