import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';

const DEADLINE_MS = 3_000;
const MAX_BYTES = 64 << 20;
/** A repository can have a pipe where git opens a file, and all agents wait while it does: not for more than a tenth of the time. */
const QUIET_MS = 10 * DEADLINE_MS;
let quietUntil = 0;

/**
 * Checks a repository for uncommitted changes. It may be freshly cloned, and its own settings can make `git status`
 * run programs of its choice: a monitor, hooks, filters, and the same in each submodule.
 */
export function treeStatus(folder: string): 'clean' | 'dirty' {
  const settings = [...HARMLESS, ...ownFilters(folder).map((name) => [name, ''] as const)];
  const status = git(folder, ['status', '--porcelain', '--ignore-submodules=dirty'], settings);
  if (status.code !== 0) throw new Error(`git status failed in ${folder}`);
  return status.text.trim() === '' ? 'clean' : 'dirty';
}

/** What git lists of a repository, each entry ended by a zero byte. Throws where it does not get to its end. */
export function listGit(folder: string, args: readonly string[]): readonly string[] {
  const { code, text } = git(folder, args, [...HARMLESS, ...ATTENTIVE]);
  if (code !== 0) throw new Error(`git ${args[0]} failed in ${folder}`);
  return text.split('\0').slice(0, -1);
}

type Setting = readonly [name: string, value: string];

const HARMLESS: readonly Setting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['status.submoduleSummary', 'false'],
];

/** Without what makes it take one file for another, or a changed one for one that is as it was. */
const ATTENTIVE: readonly Setting[] = [
  ['submodule.recurse', 'false'],
  ['core.ignoreCase', 'false'],
  ['core.checkStat', 'default'],
  ['core.trustCtime', 'true'],
];

/** Names of settings by which the repository itself has files filtered. Those of the user are the user's wish. */
function ownFilters(folder: string): string[] {
  const args = ['config', '-z', '--show-scope', '--name-only', '--get-regexp', '^filter\\.'];
  const { code, text } = git(folder, args, []);
  if (code !== 0 && code !== NONE_FOUND) throw new Error(`git config failed in ${folder}`);
  const words = text.split('\0');
  return words.filter((_, at) => at % 2 === 1 && !/^(?:global|system)$/.test(words[at - 1] ?? ''));
}

/** What `git config` ends with where there is no such setting. */
const NONE_FOUND = 1;

/** With settings that win over the repository's. */
function git(
  folder: string,
  args: readonly string[],
  settings: readonly Setting[],
): { code: number | null; text: string } {
  const given = settings.flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  if (performance.now() < quietUntil) throw new Error('git took too long a moment ago');
  const { status, stdout, error } = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: DEADLINE_MS,
    maxBuffer: MAX_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...surroundings(),
      GIT_OPTIONAL_LOCKS: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(given),
    },
  });
  if (error !== undefined && 'code' in error && error.code === 'ETIMEDOUT')
    quietUntil = performance.now() + QUIET_MS;
  return { code: status, text: stdout ?? '' };
}

/** Without variables by which git would look at another repository than the one around the folder. */
function surroundings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
}
