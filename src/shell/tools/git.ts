import { type Loss, UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import type { ToolTable } from '../tool.ts';
import { hostOf } from '../wrappers/remote.ts';
import { directoryOf } from '../wrappers/unwrap.ts';
import { aliasOf, configOf, runsFromConfig } from './git-config.ts';
import { GIT_GLOBALS, GIT_OPTIONS } from './git-options.ts';

const TALKS: ReadonlySet<string> = new Set([
  'push',
  'fetch',
  'pull',
  'clone',
  'ls-remote',
  'send-pack',
  'fetch-pack',
  'remote-https',
]);

function git(call: Call): string {
  const [action, second] = call.command.sub;
  const config = configOf(call);
  if (action === undefined || call.command.options.some((option) => option.name === '--help')) return UNKNOWN;
  const alias = aliasOf(config, action);
  if (alias !== undefined) return runAlias(call, alias, action);
  const remote = TALKS.has(action) ? remoteOf(call, action) : null;
  const talks = TALKS.has(action) || talksToo(call, action, second);
  if (talks)
    call.network({
      host: remote && /[:/]/.test(remote) ? hostOf(remote) : null,
      url: remote,
      sends: action === 'push',
    });
  runsFromConfig(call, config, action, talks);
  const loses = lossOf(call, action, second);
  call.vcs(second === undefined ? action : `${action} ${second}`, {
    force: isForced(call, action),
    remote,
    refs: call.operands.slice(remote === null ? 0 : 1).flatMap((word) => word.text ?? []),
    loses,
    skipsHooks: skipsHooks(call, action, config),
  });
  files(call, action, loses);
  inner(call, action, second);
  return UNKNOWN;
}

function remoteOf(call: Call, action: string): string | null {
  const repo = action === 'push' ? call.value('--repo') : null;
  return (repo ?? call.operands[0])?.text ?? null;
}

function talksToo(call: Call, action: string, second: string | undefined): boolean {
  if (action === 'archive') return call.has('--remote');
  if (action === 'remote')
    return (
      second === 'update' ||
      second === 'show' ||
      second === 'prune' ||
      call.operands.some((word) => word.text === 'update')
    );
  return action === 'submodule' && (second === 'update' || second === 'add');
}

function isForced(call: Call, action: string): boolean {
  if (action === 'push')
    return call.on('--force') || refspecs(call).some((ref) => ref.startsWith('+') || ref.includes(':+'));
  return call.on('--force') || call.has('--discard-changes', '-D', '-M', '-C', '--hard');
}

function refspecs(call: Call): string[] {
  return call.operands.map((word) => word.template);
}

/** What cannot be had back after this. */
function lossOf(call: Call, action: string, second: string | undefined): Loss[] {
  switch (action) {
    case 'reset':
      return call.has('--hard', '--merge', '--keep') ? ['changes'] : [];
    case 'checkout':
      return checkoutLoses(call) ? ['changes'] : [];
    case 'switch':
      return call.on('--force') || call.has('--discard-changes') ? ['changes'] : [];
    case 'restore':
      return restoreLoses(call) ? ['changes'] : [];
    case 'clean':
      // git takes -n with -f as a dry run only; but -nf is so easily meant the other way that it counts.
      return call.on('--force') && !longDryRun(call) ? ['untracked'] : [];
    case 'stash':
      return second === 'drop' || second === 'clear' ? ['stash'] : [];
    case 'branch':
      return call.has('-D', '-M', '-C') || (call.on('--delete') && call.on('--force'))
        ? ['refs', 'commits']
        : call.on('--force')
          ? ['refs']
          : [];
    case 'tag':
      return call.on('--delete') || call.on('--force') ? ['refs'] : [];
    case 'update-ref':
    case 'symbolic-ref':
      return call.has('-d', '--delete') ? ['refs', 'commits'] : [];
    case 'push':
      return pushLoses(call) ? ['remote'] : [];
    case 'worktree':
      return second === 'remove' && call.on('--force') ? ['changes'] : [];
    case 'rebase':
    case 'merge':
    case 'cherry-pick':
    case 'am':
      return call.has('--abort') ? ['changes'] : [];
    case 'rm':
      return call.on('--force') && !call.has('--cached', '--dry-run') ? ['changes'] : [];
    case 'reflog':
      return second === 'expire' || second === 'delete' ? ['commits'] : [];
    case 'gc':
      return call.has('--prune') ? ['commits'] : [];
    case 'prune':
      return call.has('--dry-run') ? [] : ['commits'];
    case 'filter-branch':
    case 'filter-repo':
    case 'replace':
      return ['commits'];
    case 'checkout-index':
    case 'read-tree':
      return call.on('--force') || call.has('--reset') ? ['changes'] : [];
    case 'submodule':
      return second === 'deinit' && call.on('--force') ? ['changes'] : [];
    default:
      return [];
  }
}

const longDryRun = (call: Call): boolean =>
  call.has('--dry-run') && !call.command.argv.some((word) => /^-\w*n\w*f|^-\w*f\w*n/.test(word.template));

function pushLoses(call: Call): boolean {
  if (call.on('--dry-run')) return false;
  if (isForced(call, 'push') || call.has('--mirror', '--delete', '--prune')) return true;
  return refspecs(call).some((ref) => /^:./.test(ref));
}

const NEW_BRANCH = ['-b', '-B', '--orphan', '--detach'];

/** `checkout` forgets work when it is forced or when it is given paths. */
function checkoutLoses(call: Call): boolean {
  if (call.on('--force') || call.has('--pathspec-from-file', '--patch', '--ours', '--theirs')) return true;
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
  return first !== undefined && (/^\.{1,2}$|^\.{0,2}\/|^:[/(!^]|\*/.test(first.template) || first.glob);
}

function restoreLoses(call: Call): boolean {
  if (call.has('--help', '--version')) return false;
  const worktree =
    call.on('--worktree') ||
    (!call.has('--worktree', '--no-worktree') && !call.has('--staged', '--no-staged'));
  const named = call.operands.length > 0 || call.has('--pathspec-from-file') || call.on('--patch');
  return worktree && named;
}

function skipsHooks(call: Call, action: string, config: ReadonlyMap<string, string>): boolean {
  if (config.has('core.hookspath')) return true;
  return call.on('--no-verify') || (action !== 'commit' && call.has('--no-verify'));
}

function files(call: Call, action: string, loses: readonly Loss[]): void {
  if (action === 'rm' && !call.has('--cached', '--dry-run')) {
    for (const word of call.operands) call.remove(word, call.has('-r'), call.on('--force'));
  }
  if (action === 'clean' && loses.length > 0) {
    const roots: readonly Word[] = call.operands.length > 0 ? call.operands : [literal('.')];
    for (const word of roots) call.remove(word, call.has('-d'), true);
  }
  if (action === 'worktree' && call.command.sub[1] === 'remove') {
    for (const word of call.operands) call.remove(word, true, call.on('--force'));
  }
  if (action === 'clone' && call.operands[1]) call.write(call.operands[1]);
  for (const file of call.values('--output')) call.write(file);
  if (action === 'config' && call.operands.length > 1) call.write(configFile(call));
}

function configFile(call: Call): Word {
  const file = call.value('--file');
  if (file) return file;
  return literal(
    call.has('--global') ? '~/.gitconfig' : call.has('--system') ? '/etc/gitconfig' : '.git/config',
  );
}

/** Commands that git runs for its caller. */
function inner(call: Call, action: string, second: string | undefined): void {
  for (const script of call.values('--exec')) if (action === 'rebase') call.runText(script.template);
  if (action === 'bisect' && second === 'run') call.runArgv(call.operands);
  if (action === 'submodule' && second === 'foreach')
    call.runText(call.operands.map((word) => word.template).join(' '));
  if (action === 'filter-branch') {
    for (const option of call.command.options)
      if (option.name.endsWith('-filter') && option.value) call.runText(option.value.template);
  }
  for (const program of call.values('--upload-pack', '--receive-pack', '--extcmd', '--open-files-in-pager')) {
    call.runText(program.template);
  }
  const [url] = call.operands;
  if (url?.template.startsWith('ext::')) call.runText(url.template.slice(5));
}

/** A git alias is another git command, or a shell command behind `!`. */
function runAlias(call: Call, alias: string, action: string): string {
  const at = call.command.argv.findIndex((word) => word.text?.toLowerCase() === action);
  const rest = call.command.argv.slice(at + 1);
  if (alias.startsWith('!')) {
    return call.runText([alias.slice(1), ...rest.map((word) => word.template)].join(' '), {
      via: 'git alias',
    });
  }
  const words = alias.trim().split(/\s+/).map(literal);
  return call.runArgv([literal('git'), ...words, ...rest], { via: 'git alias' });
}

function run(call: Call): string {
  const directory = call.value('-C');
  if (!directory) return git(call);
  const { state } = call;
  const before = state.cwd;
  call.cwd = directoryOf(call, directory);
  state.cwd = call.cwd;
  const output = git(call);
  state.cwd = before;
  return output;
}

export const GIT: ToolTable = {
  git: {
    options: GIT_GLOBALS,
    sub: 1,
    groups: [
      'remote',
      'stash',
      'worktree',
      'submodule',
      'reflog',
      'bisect',
      'notes',
      'lfs',
      'sparse-checkout',
      'maintenance',
      'bundle',
    ],
    subOptions: GIT_OPTIONS,
    stopAfter: ['run', 'foreach'],
    run,
  },
};
