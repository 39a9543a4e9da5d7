import { describe, expect, test } from 'vitest';
import { effects } from '../../../../test/support/shell/shell.ts';

const loses = (command: string): readonly string[] =>
  effects(command, 'vcs').flatMap((effect) => effect.loses);

describe('git losses', () => {
  test.each([
    ['git reset --hard', ['changes']],
    ['git reset --har HEAD~1', ['changes']],
    ['git --git-dir=x/.git -c a=b -C y reset -q --hard', ['changes']],
    ['git checkout -- a', ['changes']],
    ['git checkout .', ['changes']],
    ['git checkout HEAD a', ['changes']],
    ['git checkout -f main', ['changes']],
    ['git checkout -qf main', ['changes']],
    ['git switch --discard-changes main', ['changes']],
    ['git restore a', ['changes']],
    ['git restore -SW a', ['changes']],
    ['git restore --source=HEAD a', ['changes']],
    ['git clean -fd', ['untracked']],
    ['git clean -xdff', ['untracked']],
    ['git stash drop', ['stash']],
    ['git stash clear', ['stash']],
    ['git branch -D x', ['refs', 'commits']],
    ['git branch --delete --force x', ['refs', 'commits']],
    ['git branch -C a b', ['refs', 'commits']],
    ['git -C x branch -C a b', ['refs', 'commits']],
    ['git -C x branch -D y', ['refs', 'commits']],
    ['git tag -d v1', ['refs']],
    ['git push --force', ['remote']],
    ['git push -f origin main', ['remote']],
    ['git push origin +main', ['remote']],
    ['git push origin :main', ['remote']],
    ['git push --delete origin main', ['remote']],
    ['git push --mirror', ['remote']],
    ['git worktree remove --force ../x', ['changes']],
    ['git reflog expire --expire=now --all', ['commits']],
    ['git gc --prune=now', ['commits']],
    ['git filter-branch HEAD', ['commits']],
    ['git update-ref -d refs/heads/x', ['refs', 'commits']],
    ['git -c alias.nuke=reset nuke --hard', ['changes']],
    ['sudo git.exe reset --hard', ['changes']],
    ['GIT reset --hard', ['changes']],
  ])('%j', (command, expected) => {
    expect(loses(command)).toEqual(expected);
  });

  test.each([
    'git status',
    'git reset --soft HEAD~1',
    'git checkout main',
    'git checkout -b x',
    'git checkout -bfeature',
    'git switch -c x',
    'git restore --staged a',
    'git restore --help',
    'git clean -n',
    'git clean -fd --dry-run',
    'git stash pop',
    'git branch -d x',
    'git -C x branch --show-current',
    'git -C x branch -a',
    'git rm --force=false x',
    'git push',
    'git push --force-with-lease',
    'git push origin main:main',
    'git push --force --dry-run',
    'git commit -m "git reset --hard"',
    'git worktree remove x',
    'git log --oneline',
  ])('%j loses nothing', (command) => {
    expect(loses(command)).toEqual([]);
  });

  test('reports the target of a push and what it bypasses', () => {
    expect(effects('git push -f origin main dev', 'vcs')).toMatchObject([
      { action: 'push', force: true, remote: 'origin', refs: ['main', 'dev'] },
    ]);
    expect(effects('git commit --no-verify -m x', 'vcs')).toMatchObject([
      { action: 'commit', skipsHooks: true },
    ]);
    expect(effects('git commit -nm x', 'vcs')).toMatchObject([{ skipsHooks: true }]);
    expect(effects('git push --no-verify', 'vcs')).toMatchObject([{ skipsHooks: true }]);
    expect(effects('git -c core.hooksPath=/dev/null commit -m x', 'vcs')).toMatchObject([
      { skipsHooks: true },
    ]);
    expect(effects('git commit -m x', 'vcs')).toMatchObject([{ skipsHooks: false }]);
    expect(effects('git stash drop', 'vcs')).toMatchObject([{ action: 'stash drop' }]);
  });
});
