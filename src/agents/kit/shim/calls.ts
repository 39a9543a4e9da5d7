import type { Shim } from './core.ts';
import { type Instructions, refusalIn } from './instructions.ts';
import { Memory } from './memory.ts';

interface JudgedCall {
  readonly tool: string;
  /** The arguments as they were judged, in JSON: others may change the object. */
  readonly args: string;
  readonly said: Instructions;
}

/** What is remembered of a call from the hook that judged it until it has ended, by its id. */
export class Calls {
  readonly #judged = new Memory<JudgedCall>();
  readonly #shim: Pick<Shim, 'changedAfter'>;

  constructor(shim: Pick<Shim, 'changedAfter'>) {
    this.#shim = shim;
  }

  /** `args`: what will run, with the changes that the answer asks for. */
  judged(id: string, tool: string, args: unknown, said: Instructions): void {
    this.#judged.set(id, { tool, args: jsonOf(args), said });
  }

  said(id: string): Instructions {
    return this.#judged.get(id)?.said ?? {};
  }

  /** The call, for the client's own question about it. */
  about(id: string): { readonly tool: string; readonly args: unknown } | null {
    const call = this.#judged.get(id);
    return call ? { tool: call.tool, args: JSON.parse(call.args) } : null;
  }

  /** The arguments that were judged, where others have run; doctor is told of it. */
  ended(id: string, args: unknown): { readonly judged?: unknown } {
    const call = this.#judged.take(id);
    if (!call || call.args === jsonOf(args)) return {};
    this.#shim.changedAfter(call.tool);
    return { judged: JSON.parse(call.args) };
  }

  /** Did it run, and is nothing known yet of how it ended? What was refused did not run. */
  failed(id: string): boolean {
    const call = this.#judged.take(id);
    return call !== undefined && refusalIn(call.said) === null;
  }
}

/** `null` for what is not JSON: such a call is refused, and has no arguments that count. */
function jsonOf(args: unknown): string {
  try {
    return JSON.stringify(args) ?? 'null';
  } catch {
    return 'null';
  }
}
