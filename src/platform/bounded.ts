/** A map of limited size: beyond `most` entries, it drops the oldest. */
export class BoundedMap<K, V> extends Map<K, V> {
  private readonly most: number;

  constructor(most: number) {
    super();
    this.most = most;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.most) dropOldest(this, this.most);
    return this;
  }
}

/** A set of limited size: beyond `most` values, it drops the oldest. */
export class BoundedSet<T> extends Set<T> {
  private readonly most: number;

  constructor(most: number) {
    super();
    this.most = most;
  }

  override add(value: T): this {
    this.delete(value);
    super.add(value);
    if (this.size > this.most) dropOldest(this, this.most);
    return this;
  }
}

/** Caches a function's answers for the last `most` arguments. */
export function remember<K, V extends NonNullable<unknown> | null>(
  find: (key: K) => V,
  most: number = Number.POSITIVE_INFINITY,
): (key: K) => V {
  // Created on demand, because many of these caches stay empty.
  let known: Map<K, V> | null = null;
  return (key) => {
    let found = known?.get(key);
    if (found === undefined) {
      found = find(key);
      known ??= Number.isFinite(most) ? new BoundedMap<K, V>(most) : new Map<K, V>();
      known.set(key, found);
    }
    return found;
  };
}

/** A text of several pages is rarely asked about again, and would fill the memory. */
const LONGEST_REMEMBERED = 10_000;

/** The same for texts that others choose as arguments. */
export function rememberText<V extends NonNullable<unknown> | null>(
  find: (text: string) => V,
  most: number,
): (text: string) => V {
  const known = remember(find, most);
  return (text) => (text.length > LONGEST_REMEMBERED ? find(text) : known(text));
}

/** Caches a function's answer per object, for the object's lifetime. */
export function rememberPer<K extends object, V extends NonNullable<unknown> | null>(
  find: (key: K) => V,
): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    let found = known.get(key);
    if (found === undefined) {
      found = find(key);
      known.set(key, found);
    }
    return found;
  };
}

const NOTHING: Iterable<never> = [];

/** A map created with its first entry, because most maps for a command line stay empty. */
export class LazyMap<K, V> {
  private made: Map<K, V> | null;

  /** @param from what to copy */
  constructor(from?: LazyMap<K, V>) {
    this.made = from?.made?.size ? new Map(from.made) : null;
  }

  get size(): number {
    return this.made?.size ?? 0;
  }

  get(key: K): V | undefined {
    return this.made?.get(key);
  }

  has(key: K): boolean {
    return this.made?.has(key) ?? false;
  }

  set(key: K, value: V): void {
    this.made ??= new Map();
    this.made.set(key, value);
  }

  delete(key: K): boolean {
    return this.made?.delete(key) ?? false;
  }

  [Symbol.iterator](): Iterator<readonly [K, V]> {
    return (this.made ?? NOTHING)[Symbol.iterator]();
  }

  keys(): Iterable<K> {
    return this.made?.keys() ?? NOTHING;
  }

  values(): Iterable<V> {
    return this.made?.values() ?? NOTHING;
  }
}

/** Computes the answer on the first call. */
export function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | null = null;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

interface Ordered<K> {
  readonly size: number;
  keys(): Iterable<K>;
  delete(key: K): boolean;
}

/**
 * Drops a few more than necessary: V8 finds the first entry by walking past all deleted ones, which costs 20 µs per
 * entry in a large map (Node 20).
 */
function dropOldest<K>(entries: Ordered<K>, most: number): void {
  const left = most - Math.floor(most / 64);
  for (const key of entries.keys()) {
    if (entries.size <= left) return;
    entries.delete(key);
  }
}
