import { recordChange } from '../../client/record-change.ts';
import { configInForce } from '../../home/confirmed/in-force.ts';
import { pendingLine } from '../../home/confirmed/pending.ts';
import { openHomeRules } from '../../home/engine.ts';
import { createProjectFinder } from '../../home/identity.ts';
import { homePaths } from '../../home/paths.ts';
import { ruleWarnings } from '../../home/rule-warnings.ts';
import { counted } from '../../model/text.ts';
import type { RuleProblem } from '../../rules/files/load.ts';
import { EXAMPLE_PLACES } from '../../rules/places/example.ts';
import { failedExamples } from '../../rules/review/examples.ts';
import type { RuleFinding } from '../../rules/review/remarks.ts';
import type { Rule } from '../../rules/rule.ts';
import { analyse } from '../../shell/analyse.ts';
import { defineCommand, flag, unknownWord, usage, value } from '../command.ts';
import { verdict } from '../output/event-line.ts';
import { paint } from '../output/paint.ts';
import { typedHere } from '../program.ts';
import { PARTS } from '../summaries.ts';
import { sinceOf, sinceOption } from '../values.ts';
import { addRule } from './add.ts';
import { confirmAction, confirmPending } from './confirm.ts';
import { effect } from './effect.ts';
import { enforce } from './enforce.ts';
import { explainCommand } from './explain.ts';
import { importRules } from './import.ts';
import { learn } from './learn.ts';
import { report } from './report.ts';

const OWN: readonly string[] = [
  'list',
  'add',
  'check',
  'test',
  'explain',
  'report',
  'enforce',
  'confirm',
  'effect',
  'learn',
  'import',
];

export default defineCommand({
  name: 'rules',
  summary: 'List, add, check, test and explain rules.',
  words: `[${OWN.join('|')}] [what] [path]`,
  options: {
    json: flag('As JSON, one object per line.'),
    since: { ...sinceOption('all'), of: 'report and learn' },
    times: value('N', 'Minimum number of approvals (default: 3).', { of: 'learn' }),
    deny: value('REASON', 'Deny the command. The model sees REASON.', { of: 'add' }),
    ask: value('REASON', 'Ask for approval. You see REASON.', { of: 'add' }),
    allow: flag('Allow without asking.', { of: 'add' }),
    id: value('ID', 'Rule ID (default: derived from the command).', { of: 'add' }),
    discard: flag('Restore the confirmed version instead.', { of: 'confirm' }),
    yes: flag('Skip confirmation.', { of: 'add, enforce, confirm, learn and import', short: 'y' }),
    all: flag('Include pack rules.', { of: 'list and effect' }),
  },
  examples: [
    ['hookline rules list --all', 'all active rules in this directory'],
    ["hookline rules add 'npm publish' --deny 'CI publishes.'", 'add a rule for a command'],
    ['hookline rules check', "report invalid rules and rules that can't match; exits with 1 if it finds any"],
    ['hookline rules test', 'run the `tests` of every rule'],
    ['hookline rules report --since 7d', 'show what rules in observe mode would have done'],
    ['hookline rules enforce my-rule', 'switch a rule or pack from observe to enforce'],
    ['hookline rules confirm', 'review and apply changes that weaken protection'],
    ['hookline rules effect', 'show how fully each agent enforces each rule'],
    ['hookline rules learn', 'suggest grants for calls you always allow'],
    ['hookline rules import hookify', "convert another tool's configuration to rules"],
    ["hookline rules explain 'git push -f origin main'", 'show the commands and effects in a line'],
  ],
  asScript: true,
  access: ({ json, yes, discard }, [what = '', word]) => {
    // Invalid arguments print the usage and do nothing.
    if (word === undefined && what !== 'learn' && what !== 'confirm') return null;
    // Anyone may read suggestions; `learn` asks for a person when one is accepted.
    if (what === 'learn' && !yes) return null;
    // With --json, these only show what they would do.
    if (what === 'confirm' && !discard && (!json || yes)) return confirmAction(homePaths());
    return ['add', 'enforce', 'confirm', 'learn', 'import'].includes(what) && (!json || yes) ? 'rules' : null;
  },
  async run({ json, all, since, times, yes, discard, ...draft }, [what, word, path], by) {
    const paths = homePaths();
    const changed = (done: string) => recordChange(paths, 'rules', by, done);
    const options = { by, yes: yes ?? false, json: json ?? false, changed };
    if (what === 'confirm' && word !== undefined)
      throw usage('rules', '`rules confirm` takes no file; it shows and confirms all pending changes.');
    if (what === 'confirm') return confirmPending(paths, { ...options, discard: discard ?? false });
    const project = createProjectFinder()(process.cwd());
    const instead = what === 'test' ? { places: EXAMPLE_PLACES } : {};
    const config = configInForce(paths);
    const inForce = openHomeRules(paths, config, instead).inForce(project);
    const { rules, problems } = inForce;
    switch (what) {
      case undefined:
      case 'list':
        return list(rules, problems, { json: json ?? false, all: all ?? false, waiting: pendingLine(paths) });
      case 'check':
        return check(rules.length, problems, ruleWarnings(inForce, config), json ?? false);
      case 'test':
        return runExamples(rules, json ?? false);
      case 'report':
        return report(paths, rules, sinceOf('rules', since, Date.now()) ?? 0, json ?? false);
      case 'effect':
        return effect(paths, rules, { json: json ?? false, all: all ?? false });
      case 'learn':
        return learn(paths, {
          ...options,
          since: sinceOf('rules', since, Date.now()) ?? 0,
          times,
        });
      case 'import':
        return importRules(paths, word, path, options);
      case 'add':
        return addRule(paths, rules, word, { ...draft, ...options });
      case 'enforce':
        return enforce(paths, rules, word, options);
      case 'explain':
        return explain(word, json ?? false);
      default:
        throw unknownWord('rules', what, [...OWN, ...(PARTS.rules ?? [])]);
    }
  },
});

function list(
  rules: readonly Rule[],
  problems: readonly RuleProblem[],
  { json, all, waiting }: { json: boolean; all: boolean; waiting: string | null },
): number {
  const shown = all || json ? rules : rules.filter(({ layer }) => layer !== 'pack');
  if (json) {
    for (const rule of shown) {
      const { id, layer, pack, where, response, next, observing, until } = rule;
      console.log(
        JSON.stringify({ id, layer, pack, where, on: [...rule.on], response, next, observing, until }),
      );
    }
    return 0;
  }
  for (const { id, where, response, observing, pack } of shown) {
    const mode = observing ? paint.yellow(' (observing)') : '';
    console.log(
      `${verdict(response.decision).padEnd(5)} ${paint.bold(id)}${mode}  ${paint.dim(pack ? `pack ${pack}` : where)}`,
    );
    if (response.reason) console.log(`      ${response.reason}`);
  }
  for (const { where, message } of problems) console.log(`${paint.red('✗')} ${where}: ${typedHere(message)}`);
  const packed = rules.filter(({ layer }) => layer === 'pack');
  if (!all) {
    const packs = new Set(packed.map(({ pack }) => pack));
    console.log(
      `${shown.length === 0 ? 'No rules of your own. ' : ''}${counted(packed.length, 'rule')} from ${counted(packs.size, 'pack')} are active (show them with --all).`,
    );
  }
  if (waiting !== null) console.log(paint.yellow(typedHere(waiting)));
  return 0;
}

function check(
  count: number,
  unreadable: readonly RuleProblem[],
  remarks: readonly RuleFinding[],
  json: boolean,
): number {
  const remarked = (isNever: boolean) =>
    remarks.flatMap(({ where, message, never }) => (never === isNever ? [{ where, message }] : []));
  const problems = [...unreadable, ...remarked(true)];
  const warnings = remarked(false);
  if (json) console.log(JSON.stringify({ ok: problems.length === 0, rules: count, problems, warnings }));
  else {
    for (const { where, message } of problems)
      console.log(`${paint.red('✗')} ${where}: ${typedHere(message)}`);
    for (const { where, message } of warnings)
      console.log(`${paint.yellow('!')} ${where}: ${typedHere(message)}`);
    const doubts = warnings.length === 0 ? '' : `, ${counted(warnings.length, 'warning')}`;
    console.log(
      problems.length === 0
        ? `${paint.green('✓')} ${counted(count, 'rule')}, no problems${doubts}.`
        : `${counted(problems.length, 'problem')}${doubts}, ${counted(count, 'rule')} active.`,
    );
  }
  return problems.length === 0 ? 0 : 1;
}

function explain(word: string | undefined, json: boolean): number {
  if (word === undefined)
    throw usage('rules', "Missing command. Quote it: `hookline rules explain 'git push -f'`.");
  const home = process.env.HOME ? { home: process.env.HOME } : {};
  const analysis = analyse(word, { cwd: process.cwd(), ...home });
  console.log(json ? JSON.stringify(analysis) : explainCommand(analysis).join('\n'));
  return 0;
}

function runExamples(rules: readonly Rule[], json: boolean): number {
  const failed = rules.flatMap(failedExamples);
  const total = rules.reduce((sum, rule) => sum + Object.values(rule.examples()).flat().length, 0);
  const rows = failed.map(({ rule, example, wanted, problem }) => ({
    id: rule.id,
    where: rule.where,
    wanted,
    example,
    problem,
  }));
  if (json) console.log(JSON.stringify({ ok: failed.length === 0, examples: total, failed: rows }));
  else {
    for (const { id, where, wanted, example, problem } of rows) {
      console.log(`${paint.red('✗')} ${id} should ${wanted}: ${example} ${paint.dim(problem ?? where)}`);
    }
    console.log(`${total - failed.length} of ${total} tests pass.`);
  }
  return failed.length === 0 ? 0 : 1;
}
