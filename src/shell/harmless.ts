import { entryFor } from '../knowledge/load.ts';
import type { OptionsOn } from '../knowledge/traits.ts';
import { entryOf } from '../model/lookup.ts';
import type { Option, SimpleCommand } from './analysis.ts';
import { isReadingOption } from './observers.ts';

const on = (verb: string, options: string): OptionsOn => ({ on: [verb], with: options.split(' ') });
const always = (options: string): OptionsOn => ({ with: options.split(' ') });

/** Of programs whose tables are still in code; those of all others are in their files. */
const OTHERS: Readonly<Record<string, readonly OptionsOn[]>> = {
  find: [
    always(
      'name iname path ipath type maxdepth mindepth size mtime mmin newer empty not and or print print0 prune perm user group regex iregex a o',
    ),
  ],
  git: [
    always('no-pager P paginate p no-optional-locks literal-pathspecs no-advice'),
    on(
      'status',
      's short b branch porcelain u untracked-files ignored long z column show-stash ahead-behind renames v verbose',
    ),
    on(
      'log',
      'n max-count oneline graph stat shortstat numstat name-only name-status all decorate p patch since until after before author grep i S G format pretty date abbrev-commit follow first-parent merges no-merges reverse branches tags remotes L w cached color no-color no-decorate 1 2 3 4 5 6 7 8 9 0',
    ),
    on(
      'diff',
      'stat shortstat numstat name-only name-status cached staged w U unified color no-color word-diff check summary M diff-filter no-ext-diff no-textconv b R exit-code quiet merge-base',
    ),
    on(
      'show',
      'stat shortstat numstat name-only name-status oneline format pretty date color no-color no-patch s w U unified no-ext-diff no-textconv',
    ),
    on(
      'branch',
      'a all r remotes v verbose l list show-current contains no-contains merged no-merged sort format',
    ),
    on(
      'rev-parse',
      'show-toplevel abbrev-ref short verify is-inside-work-tree show-prefix git-common-dir symbolic-full-name',
    ),
    on('remote', 'v verbose'),
    on('blame', 'L w e s p porcelain date M C'),
    on('ls-files', 'm modified o others i ignored exclude-standard s stage d deleted z t c cached'),
  ],
};

/** Whether this option leaves a command what it is without it. */
export function isHarmlessOption({ tool, sub }: SimpleCommand, option: Option): boolean {
  if (tool === null) return false;
  if (isReadingOption(tool, option)) return true;
  const listed = entryFor(tool)?.harmless ?? entryOf(OTHERS, tool);
  return (
    listed?.some(
      (one) => (one.on === undefined || one.on.includes(sub[0] ?? '')) && isListed(namesIn(one), option),
    ) ?? false
  );
}

function isListed(known: ReadonlySet<string>, { name, raw }: Option): boolean {
  const bare = name.replace(/^--?/, '');
  // Our table of a program's options may be shorter than the program's: an abbreviation that is clear to us may be
  // another option in full.
  const written = raw.replace(/^--?/, '').replace(/=.*$/s, '');
  return known.has(bare) && (written === bare || /^-[^-]/.test(raw));
}

/** Whether one more word is one more thing to do: `make test deploy`. */
export function takesGoals({ tool }: Pick<SimpleCommand, 'tool'>): boolean {
  return tool !== null && entryFor(tool)?.goals === true;
}

const parsed = new Map<OptionsOn, ReadonlySet<string>>();

function namesIn(list: OptionsOn): ReadonlySet<string> {
  const known = parsed.get(list) ?? new Set(list.with);
  // Lists are constants, so this cannot grow.
  parsed.set(list, known);
  return known;
}
