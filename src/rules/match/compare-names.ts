import { BoundedMap, remember } from '../../platform/bounded.ts';
import { CERTAIN, type Level, LIKELY, NONE, POSSIBLE } from './certainty.ts';
import { GLOB, segmentTest } from './glob.ts';

/** How a name is compared. */
interface Reading {
  /** False for a quoted pattern, whose characters are literal. */
  readonly glob: boolean;
  /** Names found by a search may begin with a dot; a shell's `*` excludes those. */
  readonly searched: boolean;
  /** True if the pattern says where to look. Some `.env` exists below nearly every directory. */
  readonly anchored: boolean;
}

/** How certainly two names, either of which may be a glob, match the same file. */
export function compareNames(given: string, wanted: string, { glob, searched, anchored }: Reading): Level {
  if (given === wanted) return CERTAIN;
  if (!glob || !GLOB.test(given)) return GLOB.test(wanted) && matcher(wanted, true)(given) ? CERTAIN : NONE;
  if (endDiffers(given, wanted)) return NONE;
  if (!GLOB.test(wanted) && !EXTENDED.test(given)) {
    if (!matcher(given, searched)(wanted)) return NONE;
    return anchored || isAbout(given, wanted, searched) ? LIKELY : POSSIBLE;
  }
  if (isWithin(given, wanted)) return CERTAIN;
  if (wanted.startsWith('.') && !searched && /^[*?](?!\()/.test(given)) return NONE;
  if (!agree(before(given), before(wanted)) || !agree(after(given), after(wanted))) return NONE;
  return anchored || Math.min(before(given).length, before(wanted).length) >= TELLING ? LIKELY : POSSIBLE;
}

/** Quick check that rules out most pairs: `*.ts` and `*.pem`. */
function endDiffers(given: string, wanted: string): boolean {
  const a = given.charCodeAt(given.length - 1);
  const b = wanted.charCodeAt(wanted.length - 1);
  return a !== b && !WILD_ENDS.has(a) && !WILD_ENDS.has(b);
}

const ENDS_OF_WILDCARDS = '*?]})';
const WILD_ENDS: ReadonlySet<number> = new Set([...ENDS_OF_WILDCARDS].map((sign) => sign.charCodeAt(0)));

/** A search for `.netr*` is almost certainly about `.netrc`; one for `log*` is about more than `logins.json`. */
function isAbout(given: string, wanted: string, searched: boolean): boolean {
  const start = before(given);
  if (start === '') return given.replaceAll('*', '') === wanted;
  return !searched || start.length * 2 >= wanted.length;
}

/** Two names that share a prefix of this length are probably about the same thing. */
const TELLING = 3;

const REMEMBERED = 500;
const compiled = new BoundedMap<string, (text: string) => boolean>(REMEMBERED);

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
/** A character that only a wildcard matches. */
const OTHER = '\u0001';

/** True if one glob matches everything that the other does. False if that is hard to tell. */
function isWithin(given: string, wanted: string): boolean {
  if (wanted === '*') return true;
  if (/[[{(]/.test(given)) return false;
  const matches = matcher(wanted, true);
  const single = given.replaceAll('?', OTHER);
  return matches(single.replaceAll('*', '')) && matches(single.replaceAll('*', OTHER + OTHER));
}

/** Two globs can match the same name if their literal parts agree. */
function agree(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length) === b.slice(0, length);
}

const before = remember((glob: string) => /^(?:(?![@!+]\()[^*?[{(])*/.exec(glob)?.[0] ?? '', REMEMBERED);

/** Reversed, so that suffixes can be compared like prefixes. */
const after = remember((glob: string) => {
  let end = '';
  for (let at = glob.length - 1; at >= 0 && !ENDS_OF_WILDCARDS.includes(glob.charAt(at)); at -= 1)
    end += glob.charAt(at);
  return end;
}, REMEMBERED);
