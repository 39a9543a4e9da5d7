import { changeAsPerson } from '../../client/confirm.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { readIfExists, writeUserFile } from '../../platform/files.ts';
import { enforcePack, enforceRule } from '../../rules/files/enforce.ts';
import { idToday } from '../../rules/gone.ts';
import { packNames } from '../../rules/pack.ts';
import type { Rule } from '../../rules/rule.ts';
import { usage } from '../command.ts';
import { confirmed } from '../confirm.ts';
import { editLines } from '../output/diff.ts';
import { paint } from '../output/paint.ts';

/** Records the change in the history. */
export type Changed = (what: string) => Promise<void>;

/** Switches a rule or a pack from observe to enforce. */
export async function enforce(
  paths: HomePaths,
  rules: readonly Rule[],
  name: string | undefined,
  { by, yes, changed }: { readonly by: string; readonly yes: boolean; readonly changed: Changed },
): Promise<number> {
  if (name === undefined)
    throw usage('rules', 'Missing rule or pack. Run `hookline rules report` to see them.');
  const rule = rules.find(({ id }) => id === idToday(name));
  const isPack = packNames().includes(name);
  if (!rule && !isPack) throw new HooklineError('NOT_FOUND', `Unknown rule or pack ${name}.`);
  if (rule?.pack && !isPack) {
    throw new HooklineError(
      'USAGE',
      `${name} belongs to the pack ${rule.pack}, which is in observe mode as a whole.`,
      {
        hint: `Run \`hookline rules enforce ${rule.pack}\` to enforce the pack; list single rules under \`disabledRules\` in config.yaml to turn them off.`,
      },
    );
  }
  const path = rule ? rule.where.replace(/:\d+:\d+$/, '') : paths.config;
  const before = readIfExists(path) ?? (rule ? null : '');
  if (before === null) {
    throw new HooklineError('NOT_FOUND', `${path} was deleted, but its rules apply until you confirm that.`, {
      hint: 'Run `hookline rules confirm`, or add --discard to restore the file.',
    });
  }
  const change = rule ? enforceRule(before, path, name) : enforcePack(before, name);
  if ('problem' in change) throw new HooklineError('USAGE', `No change needed: ${change.problem}.`);
  console.log(editLines({ path, before, after: change.text }).join('\n'));
  if (!(await confirmed('Enforce it?', yes, 'rules'))) return 1;
  const waiting = await changeAsPerson(paths, by, () => writeUserFile(path, change.text, 0o600));
  await changed(rule ? `enforced the rule ${name}` : `switched the pack ${name} to on`);
  console.log(
    waiting === null
      ? `${paint.green('Enforced')} ${name}. It applies from the next call on.`
      : `${paint.green('Enforced')} ${name}. ${paint.yellow(waiting)}`,
  );
  return 0;
}
