import { dirname, join } from 'node:path';
import { isSeq, parseDocument, stringify } from 'yaml';
import { changeAsPerson } from '../../client/confirm.ts';
import { editorLine } from '../../home/editor-line.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { readIfExists, writeUserFile } from '../../platform/files.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { parseRules } from '../../rules/files/load.ts';
import type { Rule } from '../../rules/rule.ts';
import { usage } from '../command.ts';
import { confirmed } from '../confirm.ts';
import { editLines } from '../output/diff.ts';
import { paint } from '../output/paint.ts';
import type { Changed } from './enforce.ts';

const EXAMPLE = "`hookline rules add 'npm publish' --deny 'CI publishes.'`.";

interface AddOptions {
  readonly deny?: string;
  readonly ask?: string;
  readonly allow?: boolean;
  readonly id?: string;
  readonly by: string;
  readonly yes: boolean;
  readonly changed: Changed;
}

/** Adds a rule for a command to a file of the user. Shows the change first and asks. */
export async function addRule(
  paths: HomePaths,
  rules: readonly Rule[],
  command: string | undefined,
  { deny, ask, allow, id, by, yes, changed }: AddOptions,
): Promise<number> {
  if (command === undefined) throw usage('rules', `Missing command. Example: ${EXAMPLE}`);
  const verdicts = [deny, ask, allow].filter((one) => one !== undefined);
  if (verdicts.length !== 1)
    throw usage('rules', `Missing action. Pass --deny REASON, --ask REASON or --allow. Example: ${EXAMPLE}`);
  const rule = {
    id: freeId(id ?? slugOf(command), rules),
    command,
    ...(deny === undefined ? {} : { deny }),
    ...(ask === undefined ? {} : { ask }),
    ...(allow === undefined ? {} : { allow: true }),
  };
  const path = join(paths.rules, 'own.yaml');
  const before = readIfExists(path);
  const after = withRule(before, rule, path);
  const [problem] = parseRules(after, path).problems;
  if (problem) throw new HooklineError('USAGE', `${problem.where}: ${problem.message}`);
  console.log(editLines({ path, before, after }).join('\n'));
  if (!(await confirmed('Add this rule?', yes, 'rules'))) {
    console.log('No rule was added.');
    return 1;
  }
  makeFolder(dirname(path), 0o700);
  const waiting = await changeAsPerson(paths, by, () => writeUserFile(path, after, 0o600));
  await changed(`added the rule ${rule.id}`);
  console.log(
    waiting === null
      ? `${paint.green('Added')} ${rule.id}. It applies from the next call on.`
      : `${paint.green('Added')} ${rule.id}. ${paint.yellow(waiting)}`,
  );
  return 0;
}

/** The rest of the file stays as it is, including comments. */
function withRule(before: string | null, rule: object, path: string): string {
  if (before === null || before.trim() === '')
    return editorLine('rules') + stringify({ rules: [rule] }, { lineWidth: 0 });
  const document = parseDocument(before);
  const list = document.get('rules');
  if (document.errors.length > 0 || !isSeq(list)) {
    throw new HooklineError('USAGE', `Can't add a rule to ${path}: it isn't a valid rule file.`, {
      hint: 'Run `hookline rules check` to see why.',
    });
  }
  list.add(document.createNode(rule));
  return document.toString({ lineWidth: 0 });
}

function slugOf(command: string): string {
  return (
    command
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'rule'
  );
}

function freeId(wanted: string, rules: readonly Rule[]): string {
  const taken = new Set(rules.map(({ id }) => id));
  let id = wanted;
  for (let at = 2; taken.has(id); at += 1) id = `${wanted}-${at}`;
  return id;
}
