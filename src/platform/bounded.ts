/** A map that stays small: beyond `most` entries, those that were set longest ago go. */
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

/** A set that stays small: beyond `most` values, those that were added longest ago go. */
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

/** The same function, which works out the answers to the last `most` questions only once. */
export function remember<K, V extends NonNullable<unknown> | null>(
  find: (key: K) => V,
  most: number = Number.POSITIVE_INFINITY,
): (key: K) => V {
  // Made when it is needed: much of what could be asked about one event is not.
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

/** A text of several pages is hardly asked about again, and would fill the memory. */
const LONGEST_REMEMBERED = 10_000;

/** The same for questions that are texts which others choose. */
export function rememberText<V extends NonNullable<unknown> | null>(
  find: (text: string) => V,
  most: number,
): (text: string) => V {
  const known = remember(find, most);
  return (text) => (text.length > LONGEST_REMEMBERED ? find(text) : known(text));
}

/** The same function, which works out the answer for an object only once, for as long as the object is there. */
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

/** A map that is made with its first entry: most of those that a command line could fill stay empty. */
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

/** The same function, which works out its answer when it is first asked. */
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
 * A few more than necessary: V8 finds the first entry by walking past all that were deleted, which for a large map
 * costs 20 µs an entry (Node 20).
 */
function dropOldest<K>(entries: Ordered<K>, most: number): void {
  const left = most - Math.floor(most / 64);
  for (const key of entries.keys()) {
    if (entries.size <= left) return;
    entries.delete(key);
  }
}
