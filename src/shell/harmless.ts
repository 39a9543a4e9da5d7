import type { Option, SimpleCommand } from './analysis.ts';
import { isReadingOption } from './observers.ts';

/**
 * Options that run nothing, write nothing and change neither where nor with which settings a program works, so that a
 * permission for the command is one for the command with them. By program, or by program and first subcommand word. Those
 * of programs that only read are in `observers.ts`. What is in neither counts as one that may do anything.
 */
const HARMLESS: Readonly<Record<string, string>> = {
  tail: 'f F follow retry pid s sleep-interval',
  sed: 'n quiet silent E r regexp-extended s separate u unbuffered z null-data posix sandbox',
  awk: 'F field-separator v assign',
  jq: 'r raw-output c compact-output n null-input s slurp S sort-keys e exit-status j join-output M C arg argjson args',
  find: 'name iname path ipath type maxdepth mindepth size mtime mmin newer empty not and or print print0 prune perm user group regex iregex a o',
  git: 'no-pager P paginate p no-optional-locks literal-pathspecs no-advice',
  'git status':
    's short b branch porcelain u untracked-files ignored long z column show-stash ahead-behind renames v verbose',
  'git log':
    'n max-count oneline graph stat shortstat numstat name-only name-status all decorate p patch since until after before author grep i S G format pretty date abbrev-commit follow first-parent merges no-merges reverse branches tags remotes L w cached color no-color no-decorate 1 2 3 4 5 6 7 8 9 0',
  'git diff':
    'stat shortstat numstat name-only name-status cached staged w U unified color no-color word-diff check summary M diff-filter no-ext-diff no-textconv b R exit-code quiet merge-base',
  'git show':
    'stat shortstat numstat name-only name-status oneline format pretty date color no-color no-patch s w U unified no-ext-diff no-textconv',
  'git branch':
    'a all r remotes v verbose l list show-current contains no-contains merged no-merged sort format',
  'git rev-parse':
    'show-toplevel abbrev-ref short verify is-inside-work-tree show-prefix git-common-dir symbolic-full-name',
  'git remote': 'v verbose',
  'git blame': 'L w e s p porcelain date M C',
  'git ls-files': 'm modified o others i ignored exclude-standard s stage d deleted z t c cached',
  ...nodeScripts('npm', 'pnpm', 'yarn', 'bun'),
  pytest:
    'q quiet v vv verbose x exitfirst k s m lf last-failed ff failed-first tb maxfail durations l showlocals no-header collect-only co',
  jest: 'verbose coverage t testNamePattern ci silent bail i runInBand w maxWorkers onlyChanged passWithNoTests',
  vitest: 'run t testNamePattern bail silent passWithNoTests no-color',
  tsc: 'noEmit pretty listFiles skipLibCheck version v',
  cargo: 'q quiet v verbose color version V',
  ...sameFor(
    ['cargo test', 'cargo build', 'cargo check', 'cargo clippy', 'cargo run'],
    'release r all workspace p package lib bin bins test tests all-targets all-features features no-default-features locked offline frozen q quiet v verbose no-run no-fail-fast j jobs doc example examples keep-going message-format',
  ),
  ...sameFor(
    ['go test', 'go vet', 'go build'],
    'v run race count short cover timeout p parallel bench benchmem failfast json x n',
  ),
  make: 'j jobs 0 1 2 3 4 5 6 7 8 9 k keep-going s silent quiet B always-make n dry-run just-print i w print-directory no-print-directory',
};

/** Whether this option leaves a command what it is without it. */
export function isHarmlessOption({ tool, sub }: SimpleCommand, option: Option): boolean {
  if (tool !== null && isReadingOption(tool, option)) return true;
  if (tool === null || !Object.hasOwn(HARMLESS, tool)) return isListed(`${tool} ${sub[0]}`, option);
  return isListed(tool, option) || isListed(`${tool} ${sub[0]}`, option);
}

function isListed(command: string, { name, raw }: Option): boolean {
  const known = Object.hasOwn(HARMLESS, command) ? namesIn(HARMLESS[command] ?? '') : NONE;
  const bare = name.replace(/^--?/, '');
  // Our table of a program's options may be shorter than the program's: an abbreviation that is clear to us may be
  // another option in full.
  const written = raw.replace(/^--?/, '').replace(/=.*$/s, '');
  return known.has(bare) && (written === bare || /^-[^-]/.test(raw));
}

const TAKE_GOALS: ReadonlySet<string> = new Set(
  'make gmake ninja gradle gradlew mvn mvnw rake just task ant bazel nx turbo'.split(' '),
);

/** Whether one more word is one more thing to do: `make test deploy`. */
export function takesGoals({ tool }: Pick<SimpleCommand, 'tool'>): boolean {
  return tool !== null && TAKE_GOALS.has(tool);
}

const NONE: ReadonlySet<string> = new Set();
const parsed = new Map<string, ReadonlySet<string>>();

function namesIn(list: string): ReadonlySet<string> {
  const known = parsed.get(list) ?? new Set(list.split(' '));
  // Lists are constants of the table above, so this cannot grow.
  parsed.set(list, known);
  return known;
}

function sameFor(commands: readonly string[], options: string): Record<string, string> {
  return Object.fromEntries(commands.map((command) => [command, options]));
}

/** Not the folder, the workspace or the shell that a script is run in. */
function nodeScripts(...managers: readonly string[]): Record<string, string> {
  const options = 's silent q quiet d dd verbose loglevel if-present no-color color json v version';
  return {
    ...sameFor(managers, options),
    ...sameFor(
      managers.flatMap((manager) => [`${manager} ls`, `${manager} list`, `${manager} outdated`]),
      'a all depth l long p parseable',
    ),
    ...sameFor(
      managers.map((manager) => `${manager} audit`),
      'omit audit-level production dev prod',
    ),
  };
}
