import { type Given, has, type Reader, type ReaderTable, textOf } from './reader.ts';

const DIGITS = '0 1 2 3 4 5 6 7 8 9';

const DIFF =
  'stat? shortstat numstat name-only name-status w,ignore-all-space b,ignore-space-change ignore-blank-lines U,unified= ' +
  'color? no-color word-diff? color-words? check summary M? C? find-renames? diff-filter= no-ext-diff no-textconv R ' +
  'exit-code quiet no-prefix p u patch s no-patch minimal patience histogram raw z relative? a text dirstat? ' +
  'compact-summary W function-context S= G= pickaxe-regex no-renames';
const LOG =
  `n,max-count= ${DIGITS} oneline graph all decorate? no-decorate since= until= after= before= author= committer= grep= ` +
  'i,regexp-ignore-case E F format= pretty? date= abbrev-commit abbrev? follow first-parent merges no-merges reverse ' +
  'branches? tags? remotes? skip= topo-order date-order full-history simplify-by-decoration left-right boundary source ' +
  'relative-date walk-reflogs g cherry count parents children no-walk';

/** A revision, a path, or a path in a revision: always counts as a path too. */
const reader = (options: string, accepts?: Reader['accepts']): Reader => ({
  options,
  operands: 'contents',
  accepts: (given) => !checksSignatures(given) && (accepts?.(given) ?? true),
});

/** Placeholders and sort keys that make git start the signature checker. */
function checksSignatures({ options }: Given): boolean {
  return options.some(({ name, value }) =>
    name === '--sort'
      ? /signature/i.test(value?.template ?? '')
      : /%[-+ ]*G|%\(\*?signature/i.test(value?.template ?? ''),
  );
}

/** With a name it creates a branch or a tag, unless an option makes it a pattern. */
const lists = (given: Given): boolean => given.operands.length === 0 || has(given, LISTING);
const LISTING = ['--list', '--merged', '--no-merged', '--contains', '--no-contains', '--points-at'];

/** Must come first: after `--` or an option, `git stash` reads the word as a path to stash. */
const firstIs =
  (...verbs: readonly string[]) =>
  ({ words }: Given): boolean =>
    verbs.includes(textOf(words[0]));

/** Settings that hold no password, except perhaps in an address. */
const PUBLIC_SETTING =
  /^(?:user\.(?:name|email)|init\.defaultbranch|core\.(?:autocrlf|bare|ignorecase|filemode|eol|hookspath)|push\.default|pull\.(?:rebase|ff)|branch\.[^\n]{1,200}\.(?:merge|remote))$/i;

/** Git subcommands that only read. */
export const GIT_VERBS: ReaderTable = {
  status: reader(
    's,short b,branch porcelain? long z u? untracked-files? ignored? column? v,verbose show-stash ahead-behind renames',
  ),
  log: reader(`${LOG} ${DIFF}`),
  show: reader(`${LOG} ${DIFF}`),
  diff: { ...reader(`${DIFF} cached staged merge-base no-index`), below: ['--no-index'] },
  'rev-list': reader(`${LOG} objects`),
  shortlog: reader(
    's,summary n,numbered e,email c all no-merges since= until= after= before= author= group=',
  ),
  blame: reader('L= w e,show-email s p,porcelain line-porcelain l t f n c date= M? C? root abbrev= since='),
  branch: reader(
    'a,all r,remotes v,verbose l,list show-current contains= no-contains= merged? no-merged? sort= format= points-at= ' +
      'column? color? i,ignore-case',
    lists,
  ),
  tag: reader('l,list n? sort= contains= no-contains= points-at= merged? format= column? color?', lists),
  'rev-parse': reader(
    'show-toplevel abbrev-ref? short? verify q quiet is-inside-work-tree is-bare-repository git-dir git-common-dir ' +
      'show-prefix show-cdup symbolic-full-name symbolic all branches? tags? remotes? absolute-git-dir',
  ),
  'ls-files': reader(
    'm,modified o,others i,ignored exclude-standard s,stage d,deleted z t c,cached u,unmerged full-name x,exclude= error-unmatch eol',
  ),
  'ls-tree': reader('r d t l,long z name-only name-status full-name full-tree abbrev?'),
  describe: reader(
    'tags all always long abbrev? dirty? match= exact-match contains candidates= first-parent',
  ),
  remote: { options: '', operands: 'none' },
  reflog: reader(`n,max-count= ${DIGITS} date= all oneline format= pretty?`, (given) =>
    given.operands.length === 0 ? true : firstIs('show')(given),
  ),
  stash: reader(`p patch ${DIFF.replace(/\bp u patch /, '')}`, firstIs('list', 'show')),
  worktree: reader('porcelain v,verbose z', firstIs('list')),
  'cat-file': reader('t s e p'),
  'merge-base': reader('a,all is-ancestor fork-point octopus independent'),
  'name-rev': reader('tags name-only always refs='),
  'show-ref': reader('heads tags branches verify q,quiet s hash? abbrev? d,dereference'),
  'for-each-ref': reader('sort= format= count= points-at= merged? no-merged? contains= no-contains='),
  'check-ignore': { options: 'v,verbose n,non-matching q,quiet no-index', operands: 'names' },
  'check-attr': { options: 'a,all', operands: 'names' },
  clean: {
    options: 'n,dry-run d x X q,quiet e=',
    operands: 'names',
    accepts: (given) => has(given, ['--dry-run']),
  },
  'sparse-checkout': reader('', firstIs('list')),
  'count-objects': reader('v,verbose H,human-readable'),
  grep: {
    ...reader(
      'n,line-number l,files-with-matches name-only i,ignore-case w,word-regexp v,invert-match c,count cached E F P h H ' +
        'o,only-matching q,quiet L,files-without-match A= B= C= e= I p W m= max-depth= color? break heading and or not',
    ),
    skip: 1,
    skipUnless: ['-e'],
    here: true,
    below: true,
  },
  config: reader('get', ({ operands }) => operands.length === 1 && PUBLIC_SETTING.test(textOf(operands[0]))),
  version: { options: '', operands: 'none' },
};
