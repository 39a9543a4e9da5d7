import picomatch from 'picomatch';

const DEEP = '**';

export function globSegments(glob: string): readonly string[] {
  return glob.split('/').filter((segment) => segment !== '');
}

/** `a/{b,c}` as `a/b` and `a/c`, so that each can be compared name by name. */
export function expandBraces(glob: string): readonly string[] {
  const found = /\{([^{}]*)\}/.exec(glob);
  if (!found) return [glob];
  const [whole, list = ''] = found;
  const before = glob.slice(0, found.index);
  const rest = glob.slice(found.index + whole.length);
  return list.split(',').flatMap((one) => expandBraces(`${before}${one}${rest}`));
}

/**
 * Could a path that a shell makes of `given` be one that `pattern` names? With `recursive`, or where `given` goes to
 * any depth, what lies below counts as well, but only for patterns that say where to look: everything lies above
 * some `.env`.
 */
export function mayMeet(given: readonly string[], recursive: boolean, pattern: readonly string[]): boolean {
  const deep = given.indexOf(DEEP);
  const anywhere = pattern[0] === DEEP;
  if (deep < 0) return meet(given, 0, pattern, 0, anywhere ? null : recursive ? 'all' : null);
  return meet(given.slice(0, deep), 0, pattern, 0, anywhere ? null : 'below');
}

/** What of a folder is meant besides its name: it and all that lies in it, or only what lies in it. */
type Reach = 'all' | 'below' | null;

function meet(
  given: readonly string[],
  at: number,
  pattern: readonly string[],
  to: number,
  reach: Reach,
): boolean {
  const wanted = pattern[to];
  const segment = given[at];
  if (segment === undefined) {
    if (reach === 'all') return true;
    return reach === 'below' ? wanted !== undefined : pattern.slice(to).every((rest) => rest === DEEP);
  }
  if (wanted === undefined) return false;
  if (wanted === DEEP)
    return meet(given, at, pattern, to + 1, reach) || meet(given, at + 1, pattern, to, reach);
  return segmentsMeet(segment, wanted) && meet(given, at + 1, pattern, to + 1, reach);
}

const compiled = new Map<string, (text: string) => boolean>();
const REMEMBERED = 500;

function matcher(glob: string, dot: boolean): (text: string) => boolean {
  const key = dot ? glob : `${glob}\0`;
  let found = compiled.get(key);
  if (!found) {
    if (compiled.size > REMEMBERED) compiled.clear();
    found = picomatch(glob, { dot, nonegate: true });
    compiled.set(key, found);
  }
  return found;
}

/** One name against another, either of which may be a glob. A shell's `*` leaves out names that begin with a dot. */
function segmentsMeet(given: string, wanted: string): boolean {
  if (given === wanted) return true;
  const givenGlob = GLOB.test(given);
  if (!GLOB.test(wanted)) return givenGlob && matcher(given, false)(wanted);
  if (!givenGlob) return matcher(wanted, true)(given);
  if (wanted.startsWith('.') && !/^[.[]/.test(given)) return false;
  return agree(before(given), before(wanted)) && agree(after(given), after(wanted));
}

const GLOB = /[*?[{(]/;

/** Two globs can come to the same name when what is literal in both does not differ. */
function agree(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length) === b.slice(0, length);
}

function before(glob: string): string {
  return /^[^*?[{(]*/.exec(glob)?.[0] ?? '';
}

/** Backwards, so that it can be compared from its start. */
function after(glob: string): string {
  return [...(/[^*?\]})]*$/.exec(glob)?.[0] ?? '')].reverse().join('');
}
