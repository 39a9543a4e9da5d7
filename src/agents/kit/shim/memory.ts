/** Enough for any session; older ones belong to calls that never came back. */
const MOST = 1_000;

/** What a host keeps between two hooks of its client about one call, or one session. The oldest are forgotten. */
export class Memory<T> {
  readonly #known = new Map<string, T>();

  set(id: string, value: T): void {
    this.#known.delete(id);
    this.#known.set(id, value);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST) return;
      this.#known.delete(oldest);
    }
  }

  get(id: string): T | undefined {
    return this.#known.get(id);
  }

  /** What is known, which is then forgotten. */
  take(id: string): T | undefined {
    const value = this.#known.get(id);
    this.#known.delete(id);
    return value;
  }

  keys(): readonly string[] {
    return [...this.#known.keys()];
  }
}

/** Counts how often the end of a turn was refused: no client reports it. */
export class StopCount {
  readonly #refused = new Memory<number>();

  /** A prompt of the user's begins a new turn. */
  began(session: string): void {
    this.#refused.take(session);
  }

  refused(session: string): void {
    this.#refused.set(session, (this.#refused.get(session) ?? 0) + 1);
  }

  /** Does the agent continue only because an earlier end was refused? */
  isActive(session: string): boolean {
    return (this.#refused.get(session) ?? 0) > 0;
  }
}
