/** More alternatives than anyone writes: each pair of braces multiplies them. */
export const MAX_ALTERNATIVES = 256;

/** For messages. */
export function tooManyAlternatives(pattern: string): string {
  return `"${pattern.slice(0, 60)}" has more than ${MAX_ALTERNATIVES} alternatives; write several patterns`;
}

/** `a/{b,c}` as `a/b` and `a/c`, so that each can be compared name by name; null if there are too many. */
export function expandBraces(glob: string): readonly string[] | null {
  const done: string[] = [];
  const open = [glob];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const found = /\{([^{}]*)\}/.exec(next);
    if (!found) {
      done.push(next);
      continue;
    }
    const [whole, list = ''] = found;
    const alternatives = list.split(',');
    if (done.length + open.length + alternatives.length > MAX_ALTERNATIVES) return null;
    const before = next.slice(0, found.index);
    const rest = next.slice(found.index + whole.length);
    for (const one of alternatives.reverse()) open.push(`${before}${one}${rest}`);
  }
  return [...new Set(done)];
}
