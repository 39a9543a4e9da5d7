import { confirmChanges } from '../../client/confirm.ts';
import { openConfirmed } from '../../home/confirmed/confirmed.ts';
import { pathOf } from '../../home/confirmed/names.ts';
import {
  actionFor,
  discard,
  type Pending,
  pendingChanges,
  pendingText,
} from '../../home/confirmed/pending.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import type { Action } from '../../model/people/access.ts';
import { confirmed } from '../confirm.ts';
import { editLines } from '../output/diff.ts';
import { paint } from '../output/paint.ts';
import type { Changed } from './enforce.ts';

interface ConfirmOptions {
  readonly by: string;
  readonly yes: boolean;
  readonly json: boolean;
  readonly discard: boolean;
  readonly changed: Changed;
}

/** The permission that the person who confirms needs. */
export function confirmAction(paths: HomePaths): Action {
  return actionFor(pendingChanges(paths, openConfirmed(paths)).changes);
}

/** Shows unconfirmed changes of settings and rules, then applies or discards them if the person agrees. */
export async function confirmPending(paths: HomePaths, options: ConfirmOptions): Promise<number> {
  const pending = pendingChanges(paths, openConfirmed(paths));
  const { lost, changes } = pending;
  // Without the texts: URLs in them may contain secrets.
  if (options.json)
    console.log(JSON.stringify({ lost, changes: changes.map(({ file, lines }) => ({ file, lines })) }));
  // With --json it only lists the changes, unless --yes is given too.
  if (options.json && !options.yes) return 0;
  if (!lost && changes.length === 0) {
    if (!options.json) console.log('No changes need confirmation.');
    return 0;
  }
  if (!options.json) console.log(pendingLines(paths, pending).join('\n'));
  return options.discard ? takeBack(paths, pending, options) : putInForce(paths, pending, options);
}

async function putInForce(
  paths: HomePaths,
  { changes }: Pending,
  { by, yes, json }: ConfirmOptions,
): Promise<number> {
  if (!(await confirmed('Apply these changes?', yes, 'rules', false))) {
    console.log('No changes were confirmed.');
    return 1;
  }
  await confirmChanges(paths, by, changes);
  if (!json) console.log(`${paint.green('Confirmed')}. The changes apply from the next call on.`);
  return 0;
}

async function takeBack(
  paths: HomePaths,
  pending: Pending,
  { yes, json, changed }: ConfirmOptions,
): Promise<number> {
  if (pending.lost) throw new HooklineError('USAGE', 'There is no confirmed version to restore.');
  if (!(await confirmed('Restore the confirmed version?', yes, 'rules'))) return 1;
  discard(paths, pending);
  await changed(`restored the confirmed version of ${pending.changes.map(({ file }) => file).join(', ')}`);
  if (!json) console.log(`${paint.green('Restored')} the confirmed version.`);
  return 0;
}

/** The pending changes and the lines that differ. */
function pendingLines(paths: HomePaths, pending: Pending): readonly string[] {
  const changes = pending.changes.flatMap(({ file, lines, before, after }) => [
    ...editLines({ path: pathOf(paths, file), before, after }),
    ...lines.map((line) => paint.yellow(`  ${line}`)),
  ]);
  return [pendingText(pending) ?? '', ...changes];
}
