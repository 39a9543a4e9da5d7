import { BoundedMap } from '../../platform/bounded.ts';
import type { Certainty } from '../../shell/analysis.ts';
import { GLOB, isDeep, segmentTest } from './glob.ts';
import { spend } from './steps.ts';

/** As numbers, so that they can be compared. */
const NONE = 0;
const POSSIBLE = 1;
const LIKELY = 2;
const CERTAIN = 3;
type Level = 0 | 1 | 2 | 3;

const NAMES: readonly (Certainty | null)[] = [null, 'possible', 'likely', 'certain'];
const LEVELS: Readonly<Record<Certainty, Level>> = { possible: POSSIBLE, likely: LIKELY, certain: CERTAIN };

/** The surer of two answers; null is no match. */
export function surer(a: Certainty | null, b: Certainty | null): Certainty | null {
  return (a === null ? NONE : LEVELS[a]) >= (b === null ? NONE : LEVELS[b]) ? a : b;
}

export function isAtLeast(certainty: Certainty, least: Certainty): boolean {
  return LEVELS[certainty] >= LEVELS[least];
}

export function globSegments(glob: string): readonly string[] {
  return glob.split('/').filter((segment) => segment !== '');
}

/** What a shell or a search makes of a pattern. */
interface Given {
  readonly segments: readonly string[];
  /** A quoted pattern is none: its signs stand for themselves. */
  readonly glob: boolean;
  /** Everything below is meant as well. */
  readonly below: boolean;
  /** Only some of what the pattern matches. */
  readonly sifted: boolean;
}

/** Names are compared one inside the other, and a path with more of them is hardly one that a system can open. */
const MAX_NAMES = 1_000;

/** How surely is a path that `given` comes to one that `pattern` names? Null: it cannot be. */
export function meet(given: Given, pattern: readonly string[]): Certainty | null {
  if (given.segments.length > MAX_NAMES) return 'possible';
  return NAMES[new Comparison(given, pattern).from(0, 0)] ?? null;
}

/** Name by name: the weakest of the names, and the best of all ways to place a `**`. */
class Comparison {
  private readonly given: Given;
  private readonly pattern: readonly string[];
  /** The pattern says where to look. Somewhere below nearly everything there is some `.env`. */
  private readonly anchored: boolean;
  /** Names found by a search may begin with a dot; a shell's `*` leaves those out. */
  private readonly searched: boolean;
  /** Only where a pattern has several `**`, which could otherwise be placed in very many ways. */
  private readonly known: (Level | undefined)[] | null;

  constructor(given: Given, pattern: readonly string[]) {
    this.given = given;
    this.pattern = pattern;
    this.anchored = !isDeep(pattern[0] ?? '');
    this.searched = given.glob && given.segments.some(isDeep);
    const several = pattern.filter(isDeep).length > 1 || this.searched;
    this.known = several ? [] : null;
  }

  from(at: number, to: number): Level {
    const key = at * (this.pattern.length + 1) + to;
    const earlier = this.known?.[key];
    if (earlier !== undefined) return earlier;
    const level = this.compare(at, to);
    if (this.known) this.known[key] = level;
    return level;
  }

  private compare(at: number, to: number): Level {
    spend(1);
    const segment = this.given.segments[at];
    const wanted = this.pattern[to];
    if (segment === undefined) return this.atEnd(to);
    if (this.searched && isDeep(segment)) return this.search(at, to);
    if (wanted === undefined) return NONE;
    if (isDeep(wanted)) return best(this.from(at, to + 1), this.from(at + 1, to));
    const level = this.names(segment, wanted);
    return level === NONE ? NONE : weakest(level, this.from(at + 1, to + 1));
  }

  /** The given path ends here; what of the pattern is left lies below it. */
  private atEnd(to: number): Level {
    if (this.pattern.slice(to).every(isDeep)) return CERTAIN;
    return this.given.below ? (this.anchored ? CERTAIN : POSSIBLE) : NONE;
  }

  /** The given path goes to any depth here. */
  private search(at: number, to: number): Level {
    const { segments, sifted } = this.given;
    const wanted = this.pattern[to];
    if (wanted === undefined) return NONE;
    const isLast = at === segments.length - 1;
    const swallowed = isDeep(wanted) ? best(this.from(at + 1, to), this.from(at, to + 1)) : NONE;
    if (isLast) return best(swallowed, this.anchored && !sifted ? LIKELY : POSSIBLE);
    return best(swallowed, this.searchName(at + 1, to));
  }

  /**
   * The name behind a `**` may be any of the names left. It is likely to be one it is equal to; that it lies in a
   * folder of which the pattern means everything is merely possible.
   */
  private searchName(at: number, to: number): Level {
    const name = this.given.segments[at] ?? '';
    let level: Level = NONE;
    for (let i = to; i < this.pattern.length && level < LIKELY; i++) {
      const wanted = this.pattern[i] ?? '';
      const deep = isDeep(wanted);
      const same = deep ? POSSIBLE : this.names(name, wanted);
      if (same === NONE) continue;
      const cap = !deep && !this.given.sifted && name === wanted && !GLOB.test(name) ? LIKELY : POSSIBLE;
      level = best(level, weakest(cap, weakest(same, this.from(at + 1, deep ? i : i + 1))));
    }
    return level;
  }

  /** One name against another, either of which may be a glob. */
  private names(given: string, wanted: string): Level {
    if (given === wanted) return CERTAIN;
    if (!this.given.glob || !GLOB.test(given))
      return GLOB.test(wanted) && matcher(wanted, true)(given) ? CERTAIN : NONE;
    if (!GLOB.test(wanted) && !EXTENDED.test(given)) {
      if (!matcher(given, this.searched)(wanted)) return NONE;
      return this.anchored || before(given) !== '' || given.replaceAll('*', '') === wanted
        ? LIKELY
        : POSSIBLE;
    }
    if (isWithin(given, wanted)) return CERTAIN;
    if (wanted.startsWith('.') && !this.searched && /^[*?](?!\()/.test(given)) return NONE;
    if (!agree(before(given), before(wanted)) || !agree(after(given), after(wanted))) return NONE;
    return this.anchored || Math.min(before(given).length, before(wanted).length) >= TELLING
      ? LIKELY
      : POSSIBLE;
  }
}

/** Two names that begin with this many equal letters are hardly about different things. */
const TELLING = 3;

function best(a: Level, b: Level): Level {
  return a > b ? a : b;
}

function weakest(a: Level, b: Level): Level {
  return a < b ? a : b;
}

const compiled = new BoundedMap<string, (text: string) => boolean>(500);

function matcher(glob: string, dot: boolean): (text: string) => boolean {
  const key = dot ? glob : `${glob}\0`;
  let found = compiled.get(key);
  if (!found) {
    found = segmentTest(glob, dot);
    compiled.set(key, found);
  }
  return found;
}

/** Patterns that only some shells know. */
const EXTENDED = /[{(]/;
/** A letter that only a wildcard can match. */
const OTHER = '\u0001';

/** Is everything that one glob matches matched by the other? False where that is hard to say. */
function isWithin(given: string, wanted: string): boolean {
  if (wanted === '*') return true;
  if (/[[{(]/.test(given)) return false;
  const matches = matcher(wanted, true);
  const single = given.replaceAll('?', OTHER);
  return matches(single.replaceAll('*', '')) && matches(single.replaceAll('*', OTHER + OTHER));
}

/** Two globs can come to the same name when what is literal in both does not differ. */
function agree(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length) === b.slice(0, length);
}

function before(glob: string): string {
  return /^(?:(?![@!+]\()[^*?[{(])*/.exec(glob)?.[0] ?? '';
}

/** Backwards, so that it can be compared from its start. */
function after(glob: string): string {
  let end = '';
  for (let at = glob.length - 1; at >= 0 && !'*?]})'.includes(glob.charAt(at)); at -= 1)
    end += glob.charAt(at);
  return end;
}
