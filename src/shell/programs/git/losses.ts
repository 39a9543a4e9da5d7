import { entryFor } from '../../../knowledge/load.ts';
import type { Loss, LossEntry } from '../../../knowledge/program.ts';
import { entryOf } from '../../../model/lookup.ts';
import type { Discards } from '../../analysis.ts';
import type { Call } from '../../call.ts';
import { holds } from '../effects.ts';

/** What can't be restored afterwards, from git's knowledge file. */
export function lossOf(call: Call): readonly Loss[] {
  const { losses = [] } = entryFor(call.name) ?? {};
  return matchingLoss(losses, call)?.loses ?? [];
}

/** The first matching entry. */
function matchingLoss(losses: readonly LossEntry[], call: Call): LossEntry | undefined {
  return losses.find((loss) => holds(loss, call.command) && (entryOf(TESTS, loss.if ?? '')?.(call) ?? true));
}

/** The tree whose work is lost; null if an option may choose another one. */
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
  // Another commit may contain files that are ignored here.
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

/** git treats -n with -f as a dry run. But -nf is easily meant the other way, so it counts. */
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

/** `checkout` discards work if forced or given paths. */
function checkoutLoses(call: Call): boolean {
  if (call.on('--force')) return true;
  // Resolves a conflict with one side and leaves other files alone.
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

/** Conditions that `if:` in git's knowledge file names. */
export const TESTS: Readonly<Record<string, (call: Call) => boolean>> = {
  'branch-deletes': branchDeletes,
  'checkout-forgets': checkoutLoses,
  'clean-removes': cleanRemoves,
  'push-overwrites': pushLoses,
  'restore-forgets': restoreLoses,
};
