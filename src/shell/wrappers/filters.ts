import { isShell } from '../../model/shells.ts';
import type { SearchFilter, SimpleCommand, Word } from '../analysis.ts';
import { FOUND, SIFTED } from '../places/paths.ts';
import { makeWord } from '../word.ts';
import { grepped } from './grep-filter.ts';

/** What the tests of a search select. */
export interface Filter {
  /** Patterns that every result matches; null for any name. */
  readonly names: readonly string[] | null;
  /** Further tests select only some of those names. */
  readonly sifted: boolean;
  /** Tests by age, size or owner, or negated or unknown ones, which may select anything. */
  readonly sieved: boolean;
  /** Only old files: `-mtime +30`. */
  readonly aged: boolean;
  /** Almost nothing is left for a deleting action: `-empty`. `-type f` doesn't count. */
  readonly spares: boolean;
  /** Only directories, links and the like, which an action on files skips. */
  readonly noFiles: boolean;
  /** Only files, links and empty directories, so results contain nothing else. */
  readonly holdsNothing: boolean;
  /** `-maxdepth 0`: only the starting points. */
  readonly rootsOnly: boolean;
  /** `-maxdepth 1`: only the content of the starting points. */
  readonly shallow: boolean;
}

export const EVERYTHING: Filter = {
  names: null,
  sifted: false,
  sieved: false,
  aged: false,
  spares: false,
  noFiles: false,
  holdsNothing: false,
  rootsOnly: false,
  shallow: false,
};

const MAX_NAMES = 12;

/**
 * Reads the tests of `find` that stand before an action. Only a test that surely leaves things out counts: one that
 * is negated, that goes by age, size or owner, or whose value is not known may let everything through.
 *
 * @param wide the search goes through more than one folder of work: a home, or all of the machine
 */
export function filterOf(tests: readonly Word[], wide: boolean): Filter {
  return new TestReader(tests, wide).alternatives(0);
}

class TestReader {
  private readonly tests: readonly Word[];
  private readonly wide: boolean;
  private at = 0;

  constructor(tests: readonly Word[], wide: boolean) {
    this.tests = tests;
    this.wide = wide;
  }

  /** Up to the closing parenthesis or the end. */
  alternatives(depth: number): Filter {
    let result: Filter | null = null;
    let current = EVERYTHING;
    let pruned = false;
    for (; this.at < this.tests.length; this.at++) {
      const text = this.tests[this.at]?.template ?? '';
      if (text === ')' && depth > 0) break;
      if (text === '-o' || text === '-or' || text === ',') {
        // The action after a prune skips pruned paths, unless the prune is in parentheses.
        if (!pruned || depth > 0) result = result === null ? current : either(result, current);
        current = EVERYTHING;
        pruned = false;
        if (text === ',') result = EVERYTHING;
      } else if (text === '-prune') pruned = true;
      else current = both(current, this.test(text, depth));
    }
    return result === null ? current : either(result, current);
  }

  private test(text: string, depth: number): Filter {
    if (text === '(') {
      this.at++;
      return this.alternatives(depth + 1);
    }
    if (text === '!' || text === '-not') {
      this.at++;
      const negated = this.tests[this.at]?.template ?? '';
      this.test(negated, depth);
      return /^-[ac]?newer/.test(negated) ? AGED : SIEVE;
    }
    if (EXECUTES.test(text)) {
      // Its words are not tests, even if they look like it.
      while (this.at < this.tests.length && !/^[;+]$/.test(this.tests[this.at]?.template ?? '')) this.at++;
      return EVERYTHING;
    }
    if (text === '-fprintf') this.at++;
    const given = VALUED.test(text) ? this.tests[++this.at] : null;
    const value = given?.text ?? null;
    switch (text) {
      case '-name':
        return named(value === null ? null : [value]);
      case '-iname':
        return named(value === null ? null : [value, value.toLowerCase()]);
      case '-type':
      case '-xtype':
        return value === null ? SIEVE : ofType(value);
      case '-maxdepth':
        if (value === '0') return { ...EVERYTHING, rootsOnly: true };
        return value === null ? SIEVE : { ...SOME, shallow: value === '1' };
      case '-empty':
        return { ...SOME, spares: true, holdsNothing: true };
      case '-inum':
        // One file, which only the file system knows.
        return this.wide ? SIEVE : { ...SOME, spares: true };
      case '-samefile':
        // Candidate names of one file, which is a project file if the name is relative.
        return /^(?:$|[/~]|.*\.\.)/.test(value ?? '') ? SIEVE : { ...SOME, spares: true };
      default:
        if (AGES.test(text) && /^\+|^\d+$/.test(given?.template ?? '')) return AGED;
        return SIEVES.test(text) ? SIEVE : EVERYTHING;
    }
  }
}

const EXECUTES = /^-(?:exec|ok)(?:dir)?$/;
const VALUED =
  /^-(?:[acm]min|[ac]?newer\w*|[acm]time|fstype|gid|group|i?l?name|inum|i?path|i?regex|regextype|i?wholename|links|maxdepth|mindepth|perm|printf|samefile|fprint0?|fprintf|fls|size|x?type|uid|used|user|context)$/;

const SIEVES =
  /^-(?:[acm]min|[ac]?newer\w*|[acm]time|fstype|gid|group|i?lname|i?path|i?regex|i?wholename|links|perm|size|uid|used|user|context|nouser|nogroup|readable|writable|executable)$/;

const AGES = /^-[acm](?:min|time)$/;

const SOME: Filter = { ...EVERYTHING, sifted: true };
const SIEVE: Filter = { ...EVERYTHING, sieved: true };
const AGED: Filter = { ...SIEVE, aged: true };

function ofType(letters: string): Filter {
  return { ...SOME, noFiles: !letters.includes('f'), holdsNothing: !letters.includes('d') };
}

function named(names: readonly string[] | null): Filter {
  if (names === null) return SIEVE;
  if (names.some((name) => name === '' || name === '*' || /[{},/]/.test(name))) return EVERYTHING;
  const spelled = names.flatMap(spellings);
  return { ...EVERYTHING, names: [...new Set(spelled.length > MAX_NAMES ? names : spelled)] };
}

/** Expands `*.py[co]`. A bar between the letters is a mistake, because no name has one. */
function spellings(name: string): readonly string[] {
  const found = /\[([\w|]{1,4})\]/.exec(name);
  if (!found) return [name];
  const [whole, letters = ''] = found;
  const [before, after] = [name.slice(0, found.index), name.slice(found.index + whole.length)];
  return [...letters.replaceAll('|', '')].flatMap((letter) => spellings(before + letter + after));
}

function both(a: Filter, b: Filter): Filter {
  if (b === EVERYTHING) return a;
  return {
    names: a.names === null ? b.names : b.names === null ? a.names : narrower(a.names, b.names),
    sifted: a.sifted || b.sifted,
    sieved: a.sieved || b.sieved,
    aged: a.aged || b.aged,
    spares: a.spares || b.spares,
    noFiles: a.noFiles || b.noFiles,
    holdsNothing: a.holdsNothing || b.holdsNothing,
    rootsOnly: a.rootsOnly || b.rootsOnly,
    shallow: a.shallow || b.shallow,
  };
}

function either(a: Filter, b: Filter): Filter {
  const names = a.names === null || b.names === null ? null : [...new Set([...a.names, ...b.names])];
  const few = names !== null && names.length <= MAX_NAMES;
  return {
    names: few ? names : null,
    sifted: few ? a.sifted && b.sifted : isFilter(a) && isFilter(b),
    sieved: few ? a.sieved && b.sieved : (a.sieved || isFilter(a)) && (b.sieved || isFilter(b)),
    aged: a.aged && b.aged,
    spares: (a.spares || a.names !== null) && (b.spares || b.names !== null) && !few,
    noFiles: a.noFiles && b.noFiles,
    holdsNothing: a.holdsNothing && b.holdsNothing,
    rootsOnly: a.rootsOnly || b.rootsOnly,
    shallow: a.shallow && b.shallow,
  };
}

function isFilter({ names, sifted }: Filter): boolean {
  return names !== null || sifted;
}

/** Of two tests that must both pass, the more specific one. */
function narrower(a: readonly string[], b: readonly string[]): readonly string[] {
  return literals(b) > literals(a) ? b : a;
}

function literals(names: readonly string[]): number {
  return Math.min(
    ...names.map((name) => name.replace(/[*?[\]]/g, '').length + (/[*?[]/.test(name) ? 0 : 1000)),
  );
}

const REMOVERS = /^(?:(?:.*\/)?(?:rm|unlink|shred|srm|rmdir|trash|trash-put)|(?:\/usr\/bin\/)?truncate)$/;

/** On files or empty directories, `rm -r` deletes no more than `rm`. Its other words may be directories. */
export function withoutRecursion(command: readonly Word[], { holdsNothing }: Filter): readonly Word[] {
  const isRm = /^(?:.*\/)?rm$/.test(command[0]?.template ?? '');
  const others = command.slice(1).filter(({ template }) => !/^-[a-zA-Z]+$|^--[a-z-]+$|^\{\}$/.test(template));
  if (!holdsNothing || !isRm || others.length > 0) return command;
  return command.flatMap((word, at) => {
    if (at === 0 || !/^-(?:[a-zA-Z]*[rR]|-recursive$)/.test(word.template)) return [word];
    const rest = word.template.startsWith('--') ? '-' : word.template.replace(/[rR]/g, '');
    return rest === '-' ? [] : [makeWord(rest, word.raw)];
  });
}

/** A script that does so somewhere. */
const REMOVES = /(?:^|[\s;&|(])(?:rm|unlink|shred|srm|truncate)\s/;

/** How later commands filter a search. */
export function leftOf(filter: Filter, between: readonly SimpleCommand[]): Filter {
  const names = filter.names ?? between.map(grepped).find((one) => one !== null) ?? null;
  return { ...filter, names, sieved: filter.sieved || between.length > 0 };
}

/** True if a command deletes its arguments. */
export function isRemoval(command: readonly Word[]): boolean {
  const [program, ...words] = command.slice(0, 3).map(({ template }) => template);
  if (REMOVERS.test(program ?? '')) return true;
  const isScript = isShell(program ?? '');
  return words.some((word) => (isScript ? REMOVES : REMOVERS).test(word));
}

/** The filter as it applies to the command that runs on the results. */
export function siftedFor(filter: Filter, command: readonly Word[]): SearchFilter {
  if (!isRemoval(command)) return filter.sifted && (filter.shallow ? 'nearby' : 'surely');
  const whole = command.some(({ template }) => /^-(?:[a-zA-Z]*[rR]|-recursive$)/.test(template));
  return siftedForRemoval(filter, whole);
}

/** Deleting all files of a directory leaves nothing in it, even though directories stay. */
export function siftedForRemoval(filter: Filter, whole: boolean): SearchFilter {
  if (filter.spares || (filter.noFiles && !whole)) return 'surely';
  if (filter.aged) return 'aged';
  return filter.sieved && filter.names === null && 'perhaps';
}

/** Everything below a root that passes a filter, as a pattern: `root/**` and perhaps a name. */
export function belowRoot(root: Word, { names, rootsOnly }: Filter, sifted: SearchFilter): Word {
  if (rootsOnly) return root;
  const below = root.template.replace(/\/$/, '') + (sifted ? SIFTED[sifted] : FOUND);
  const found = names === null ? below : `${below}/${names.length > 1 ? `{${names.join(',')}}` : names[0]}`;
  return makeWord(found, '{}', true);
}
