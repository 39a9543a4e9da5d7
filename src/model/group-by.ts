/** Items with the same key together, in the order of the first of each. Node 20 has no `Map.groupBy`. */
export function groupBy<T>(all: readonly T[], keyFor: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyFor(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
