import type { Loss } from '../analysis.ts';
import type { Call } from '../call.ts';

type LossRule = (call: Call, second: string | undefined) => readonly Loss[];

const abortLoses: LossRule = (call) => (call.has('--abort') ? ['changes'] : []);
const refDeleteLoses: LossRule = (call) => (call.has('-d', '--delete') ? ['refs', 'commits'] : []);
const historyIsRewritten: LossRule = () => ['commits'];
const indexIsReset: LossRule = (call) => (call.on('--force') || call.has('--reset') ? ['changes'] : []);

/** By the first word after `git`. */
const LOSSES = new Map<string, LossRule>(
  Object.entries({
    reset: (call) => (call.has('--hard', '--merge', '--keep') ? ['changes'] : []),
    checkout: (call) => (checkoutLoses(call) ? ['changes'] : []),
    switch: (call) => (call.on('--force') || call.has('--discard-changes') ? ['changes'] : []),
    restore: (call) => (restoreLoses(call) ? ['changes'] : []),
    // git takes -n with -f as a dry run only; but -nf is so easily meant the other way that it counts.
    clean: (call) => (call.on('--force') && !longDryRun(call) ? ['untracked'] : []),
    stash: (_, second) => (second === 'drop' || second === 'clear' ? ['stash'] : []),
    branch: (call) => {
      const deletes = call.has('-D', '-M', '-C') || (call.on('--delete') && call.on('--force'));
      if (deletes) return ['refs', 'commits'];
      return call.on('--force') ? ['refs'] : [];
    },
    tag: (call) => (call.on('--delete') || call.on('--force') ? ['refs'] : []),
    'update-ref': (call) => (call.operands.length === 2 ? ['refs'] : refDeleteLoses(call, undefined)),
    'symbolic-ref': refDeleteLoses,
    push: (call) => (pushLoses(call) ? ['remote'] : []),
    worktree: (call, second) => (second === 'remove' && call.on('--force') ? ['changes'] : []),
    rebase: abortLoses,
    merge: abortLoses,
    'cherry-pick': abortLoses,
    am: abortLoses,
    rm: (call) => (call.on('--force') && !call.has('--cached') ? ['changes'] : []),
    reflog: (_, second) => (second === 'expire' || second === 'delete' ? ['commits'] : []),
    gc: (call) => (call.has('--prune') ? ['commits'] : []),
    prune: historyIsRewritten,
    'filter-branch': historyIsRewritten,
    'filter-repo': historyIsRewritten,
    replace: historyIsRewritten,
    'checkout-index': indexIsReset,
    'read-tree': indexIsReset,
    submodule: (call, second) => (second === 'deinit' && call.on('--force') ? ['changes'] : []),
  } satisfies Record<string, LossRule>),
);

/** What cannot be restored after this. */
export function lossOf(call: Call, action: string, second: string | undefined): readonly Loss[] {
  return LOSSES.get(action)?.(call, second) ?? [];
}

export function isForced(call: Call, action: string): boolean {
  if (action === 'push')
    return call.on('--force') || refspecs(call).some((ref) => ref.startsWith('+') || ref.includes(':+'));
  return call.on('--force') || call.has('--discard-changes', '-D', '-M', '-C', '--hard');
}

function refspecs(call: Call): string[] {
  return call.operands.map((word) => word.template);
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

/** A file or a folder rather than a branch: `git checkout README.md` throws away what was changed in it. */
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
