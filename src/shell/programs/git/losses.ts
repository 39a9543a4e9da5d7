import { entryFor } from '../../../knowledge/load.ts';
import type { Loss, LossEntry } from '../../../knowledge/program.ts';
import { entryOf } from '../../../model/lookup.ts';
import type { Discards } from '../../analysis.ts';
import type { Call } from '../../call.ts';
import { holds } from '../effects.ts';

/** What cannot be restored after this, as git's file says. */
export function lossOf(call: Call): readonly Loss[] {
  const { losses = [] } = entryFor(call.name) ?? {};
  return matchingLoss(losses, call)?.loses ?? [];
}

/** The first that holds. */
function matchingLoss(losses: readonly LossEntry[], call: Call): LossEntry | undefined {
  return losses.find((loss) => holds(loss, call.command) && (entryOf(TESTS, loss.if ?? '')?.(call) ?? true));
}

/** The tree whose work is lost; null where an option may lead to another one. */
export function discardsOf(
  call: Call,
  action: string,
  loses: readonly Loss[],
  elsewhere: readonly string[],
): Discards | null {
  if (!loses.some((loss) => loss === 'changes' || loss === 'untracked')) return null;
  const folder = call.cwd;
  if (folder === null || !folder.startsWith('/') || call.values('-C').length > 1) return null;
  if (call.command.options.some(({ name }) => elsewhere.includes(name))) return null;
  // Another commit may have files where this one leaves them out.
  const brings =
    action === 'restore' ? call.has('--source') : call.operands.some(({ template }) => !PATH.test(template));
  const ignored = action === 'clean' ? call.has('-x', '-X') : brings;
  return { folder, ignored };
}

export function isForced(call: Call, action: string): boolean {
  if (action === 'push')
    return call.on('--force') || refspecs(call).some((ref) => ref.startsWith('+') || ref.includes(':+'));
  return call.on('--force') || call.has('--discard-changes', '-D', '-M', '-C', '--hard');
}

function refspecs(call: Call): string[] {
  return call.operands.map((word) => word.template);
}

function branchDeletes(call: Call): boolean {
  return call.on('--delete') && call.on('--force');
}

/** git takes -n with -f as a dry run only; but -nf is so easily meant the other way that it counts. */
function cleanRemoves(call: Call): boolean {
  return call.on('--force') && !longDryRun(call);
}

const longDryRun = (call: Call): boolean =>
  call.on('--dry-run') && !call.command.argv.some((word) => /^-\w*n\w*f|^-\w*f\w*n/.test(word.template));

function pushLoses(call: Call): boolean {
  if (isForced(call, 'push') || call.has('--mirror', '--delete', '--prune')) return true;
  return refspecs(call).some((ref) => /^:./.test(ref));
}

const NEW_BRANCH = ['-b', '-B', '--orphan', '--detach'];

/** `checkout` forgets work when it is forced or when it is given paths. */
function checkoutLoses(call: Call): boolean {
  if (call.on('--force')) return true;
  // It settles a conflict with what one side has committed, and does nothing to other files.
  if (call.has('--ours', '--theirs')) return false;
  if (call.has('--pathspec-from-file', '--patch')) return true;
  const { argv } = call.command;
  const dashes = argv.findIndex((word) => word.text === '--');
  if (dashes > 0 && dashes < argv.length - 1) return true;
  if (call.has(...NEW_BRANCH)) return false;
  const [first, second] = call.operands;
  if (second)
    return !(
      call.has('--recurse-submodules', '--track') &&
      /^(?:checkout|on-demand|direct|inherit)$/.test(first?.template ?? '') &&
      call.operands.length === 2
    );
  return first !== undefined && (PATH.test(first.template) || first.glob);
}

/** A file or directory rather than a branch: `git checkout README.md` discards its changes. */
const PATH =
  /^\.{1,2}$|^\.{0,2}\/|^:[/(!^]|\*|\.(?:[cm]?[jt]sx?|json|md|py|go|rs|java|rb|php|[ch]|cc|cpp|hpp|cs|kt|swift|vue|css|scss|html|xml|ya?ml|toml|lock|txt|sh|sql|gradle)$/;

function restoreLoses(call: Call): boolean {
  if (call.has('--ours', '--theirs')) return false;
  const worktree =
    call.on('--worktree') ||
    (!call.has('--worktree', '--no-worktree') && !call.has('--staged', '--no-staged'));
  const named = call.operands.length > 0 || call.has('--pathspec-from-file') || call.on('--patch');
  return worktree && named;
}

/** What `if:` in git's file names. */
export const TESTS: Readonly<Record<string, (call: Call) => boolean>> = {
  'branch-deletes': branchDeletes,
  'checkout-forgets': checkoutLoses,
  'clean-removes': cleanRemoves,
  'push-overwrites': pushLoses,
  'restore-forgets': restoreLoses,
};
