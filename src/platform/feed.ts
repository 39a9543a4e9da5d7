/** Notifies observers after an event was answered. A failing observer is dropped and never delays a call. */
export interface Feed<T> {
  size(): number;
  publish(item: T): void;
  /** Returns the function that unsubscribes. */
  subscribe(listener: (item: T) => void): () => void;
}

export function createFeed<T>(): Feed<T> {
  const listeners = new Set<(item: T) => void>();
  return {
    size: () => listeners.size,
    publish(item) {
      for (const listener of listeners) {
        try {
          listener(item);
        } catch {
          listeners.delete(listener);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
