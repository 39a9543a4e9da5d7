import { hasUnknown } from '../marks.ts';
import { type Bound, listAt } from './literals.ts';

const ONCE: readonly Bound[] = [new Map()];
const MAX_BACK = 20_000;

// Of blanks only a few, so that a long run of them takes no time that grows with its square.
/** `for x in [`, `for (const x of [`, `foreach my $x (`. */
const LIST_BEHIND =
  /\bfor(?:each)?\s{0,4}\(?\s{0,4}(?:(?:const|let|var|my)\s{1,4})?([$@]?[A-Za-z_]\w{0,60})\s{0,4}(?:\b(?:in|of)\s{0,4})?(?=[[(])/g;
/** `].forEach(x =>`, `].each { |x|`. */
const LIST_BEFORE =
  /\]\s{0,4}\.(?:forEach|map|each|flatMap)\s{0,4}(?:\(\s{0,4}(?:async\s{1,4})?\(?|(?:\{|do)\s{0,4}\|)\s{0,4}([A-Za-z_]\w{0,60})/g;

/** The variables that loops over lists give their values to, with those that are written out. */
export function loopsIn(code: string): ReadonlyMap<string, readonly string[]> {
  const loops = new Map<string, readonly string[]>();
  const add = (name: string, at: number) => {
    const { value } = listAt(code, at);
    const known = typeof value === 'string' ? [] : value.filter((item) => !hasUnknown(item));
    if (known.length > 0) loops.set(name, [...(loops.get(name) ?? []), ...known]);
  };
  for (const { 0: head, 1: name = '', index } of code.matchAll(LIST_BEHIND)) add(name, index + head.length);
  for (const { 1: name = '', index } of code.matchAll(LIST_BEFORE)) {
    const open = openingOf(code, index);
    if (open !== null) add(name, open);
  }
  return loops;
}

function openingOf(code: string, closing: number): number | null {
  let depth = 0;
  for (let at = closing; at >= Math.max(0, closing - MAX_BACK); at--) {
    if (code[at] === ']') depth++;
    else if (code[at] === '[' && --depth === 0) return at;
  }
  return null;
}

/** What the variables of loops are in each turn of a call whose arguments begin so. */
export function turnsOf(loops: ReadonlyMap<string, readonly string[]>, args: string): readonly Bound[] {
  if (loops.size === 0) return ONCE;
  const [name] = args.match(/[$@]?[A-Za-z_]\w*/g)?.filter((word) => loops.has(word)) ?? [];
  if (name === undefined) return ONCE;
  return (loops.get(name) ?? []).map((value) => new Map([[name, value]]));
}
