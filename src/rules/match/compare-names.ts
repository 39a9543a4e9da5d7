import { BoundedMap, remember } from '../../platform/bounded.ts';
import { CERTAIN, type Level, LIKELY, NONE, POSSIBLE } from './certainty.ts';
import { GLOB, segmentTest } from './glob.ts';

/** How a name is to be read. */
interface Reading {
  /** A quoted pattern is none: its signs stand for themselves. */
  readonly glob: boolean;
  /** Names found by a search may begin with a dot; a shell's `*` leaves those out. */
  readonly searched: boolean;
  /** The pattern says where to look. Somewhere below nearly everything there is some `.env`. */
  readonly anchored: boolean;
}

/** How surely does one name come to another, either of which may be a glob? */
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

/** What most pairs of names differ in: `*.ts` and `*.pem`. */
function endDiffers(given: string, wanted: string): boolean {
  const a = given.charCodeAt(given.length - 1);
  const b = wanted.charCodeAt(wanted.length - 1);
  return a !== b && !WILD_ENDS.has(a) && !WILD_ENDS.has(b);
}

const ENDS_OF_WILDCARDS = '*?]})';
const WILD_ENDS: ReadonlySet<number> = new Set([...ENDS_OF_WILDCARDS].map((sign) => sign.charCodeAt(0)));

/** A search for `.netr*` is hardly about anything but `.netrc`; one for `log*` is about more than `logins.json`. */
function isAbout(given: string, wanted: string, searched: boolean): boolean {
  const start = before(given);
  if (start === '') return given.replaceAll('*', '') === wanted;
  return !searched || start.length * 2 >= wanted.length;
}

/** Two names that begin with this many equal letters are hardly about different things. */
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

const before = remember((glob: string) => /^(?:(?![@!+]\()[^*?[{(])*/.exec(glob)?.[0] ?? '', REMEMBERED);

/** Backwards, so that it can be compared from its start. */
const after = remember((glob: string) => {
  let end = '';
  for (let at = glob.length - 1; at >= 0 && !ENDS_OF_WILDCARDS.includes(glob.charAt(at)); at -= 1)
    end += glob.charAt(at);
  return end;
}, REMEMBERED);
