/** By agent and home, what each copy of ours in this process has taken on. */
type Taken = Map<string, WeakMap<object, symbol>>;

const KEY = Symbol.for('hookline.taken');

/**
 * A client may load us twice, such as a package of ours and the file that setup writes. Each event then comes to both, with
 * one object in common, and only the copy that sees it first takes it on. Which one that is need not be known before, so
 * one that is gone after a reload leaves nothing unguarded.
 */
export function takesOn(agent: string, home: string): (common: object) => boolean {
  const own = Symbol('copy');
  const taken = takenHere(`${agent} ${home}`);
  return (common) => {
    const by = taken.get(common);
    if (by === undefined) taken.set(common, own);
    return by === undefined || by === own;
  };
}

function takenHere(name: string): WeakMap<object, symbol> {
  const found: unknown = Reflect.get(globalThis, KEY);
  const all: Taken = found instanceof Map ? found : new Map();
  Reflect.set(globalThis, KEY, all);
  const taken = all.get(name) ?? new WeakMap();
  all.set(name, taken);
  return taken;
}
