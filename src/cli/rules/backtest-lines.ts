import {
  type Backtest,
  type ChangeKind,
  type DecisionChange,
  isAgainstAnswer,
} from '../../history/replay/backtest.ts';
import { counted, oneLine } from '../../model/text.ts';
import { shortEventId } from '../../store/read/short-id.ts';
import { paint } from '../output/paint.ts';

const WORDS: Readonly<Record<ChangeKind, string>> = {
  denied: paint.red('newly denied'),
  asked: paint.yellow('now needs approval'),
  allowed: paint.green('newly allowed'),
  undecided: 'no decision any more',
};
const KINDS: readonly ChangeKind[] = ['denied', 'asked', 'allowed', 'undecided'];
/** The number of examples shown per kind. */
export const EXAMPLES = 5;

interface Group {
  readonly name: string;
  readonly changes: readonly DecisionChange[];
}

function grouped(
  changes: readonly DecisionChange[],
  namesOf: (change: DecisionChange) => readonly string[],
): Group[] {
  const groups = new Map<string, DecisionChange[]>();
  for (const change of changes) {
    for (const name of namesOf(change)) {
      const group = groups.get(name);
      if (group) group.push(change);
      else groups.set(name, [change]);
    }
  }
  return [...groups]
    .map(([name, all]) => ({ name, changes: all }))
    .sort((a, b) => b.changes.length - a.changes.length || (a.name < b.name ? -1 : 1));
}

const byRule = (changes: readonly DecisionChange[]) => grouped(changes, ({ rules }) => rules);
const byAgent = (changes: readonly DecisionChange[]) => grouped(changes, ({ source }) => [source]);
const byProject = (changes: readonly DecisionChange[]) => grouped(changes, ({ project }) => [project ?? '']);

function counts(changes: readonly DecisionChange[]): Readonly<Record<ChangeKind | 'against', number>> {
  const of = (kind: ChangeKind) => changes.filter((change) => change.kind === kind).length;
  return {
    denied: of('denied'),
    asked: of('asked'),
    allowed: of('allowed'),
    undecided: of('undecided'),
    against: changes.filter(isAgainstAnswer).length,
  };
}

/** For scripts: fields may be added but never changed. */
export function backtestJson(result: Backtest): unknown {
  const { calls, unreadable, unknowable, changes } = result;
  const table = (groups: readonly Group[]) =>
    groups.map(({ name, changes: some }) => ({ name, ...counts(some) }));
  return {
    calls,
    unreadable,
    unknowable,
    ...counts(changes),
    byRule: table(byRule(changes)),
    byAgent: table(byAgent(changes)),
    byProject: table(byProject(changes)),
    changes: changes.map((change) => ({
      ...change,
      at: new Date(change.at).toISOString(),
      against: isAgainstAnswer(change),
    })),
  };
}

/** For the terminal: what changes, which decisions it contradicts, and where. */
export function backtestLines(result: Backtest, examples: number): string[] {
  const { calls, changes } = result;
  const head =
    changes.length === 0
      ? `${counted(calls, 'recorded call')}, no different decisions.`
      : `${counted(calls, 'recorded call')}, ${changes.length} with a different decision.`;
  const against = changes.filter(isAgainstAnswer);
  return [
    head,
    ...KINDS.flatMap((kind) =>
      section(
        WORDS[kind],
        changes.filter((change) => change.kind === kind),
        examples,
      ),
    ),
    ...section(paint.red('contradicts your answer'), against, examples),
    ...breakdown('By rule', byRule(changes)),
    ...breakdown('By agent', byAgent(changes)),
    ...breakdown('By project', byProject(changes)),
    ...remarks(result),
  ];
}

function section(title: string, changes: readonly DecisionChange[], examples: number): string[] {
  if (changes.length === 0) return [];
  const more = changes.length - examples;
  return [
    '',
    `${title}: ${changes.length}`,
    ...changes.slice(0, examples).map(exampleLine),
    ...(more > 0 ? [paint.dim(`  … and ${more} more`)] : []),
  ];
}

function exampleLine({ subject, source, rules, answered, from, id }: DecisionChange): string {
  const said = answered ? `, ${answered.decision === 'allow' ? 'allowed' : 'denied'} by ${answered.by}` : '';
  return `  ${oneLine(subject, 70)}  ${paint.dim(`${source}, was ${from}${said}, ${rules.join(', ') || 'no rule'}, ${shortEventId(id)}`)}`;
}

function breakdown(title: string, groups: readonly Group[]): string[] {
  if (groups.length === 0) return [];
  return [
    '',
    paint.bold(title),
    ...groups.map(({ name, changes }) => {
      const some = counts(changes);
      const parts = KINDS.filter((kind) => some[kind] > 0).map((kind) => `${some[kind]} ${kind}`);
      return `  ${name || '(no project)'}  ${paint.dim(parts.join(', '))}`;
    }),
  ];
}

function remarks({ unreadable, unknowable }: Backtest): string[] {
  const lines = [
    unreadable > 0 ? `${unreadable} calls could not be read and were skipped.` : '',
    unknowable.tree > 0
      ? `${unknowable.tree} calls matched a rule about uncommitted changes, which the history does not record; it was not applied.`
      : '',
    unknowable.branch > 0
      ? `${unknowable.branch} calls matched a rule about the branch; the current branch was used.`
      : '',
    unknowable.files > 0
      ? `${unknowable.files} calls were allowed because of file contents, which the history does not record; they were skipped.`
      : '',
  ].filter((line) => line !== '');
  return lines.length === 0 ? [] : ['', ...lines.map((line) => paint.dim(line))];
}
