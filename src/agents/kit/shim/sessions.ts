import type { Shim } from './core.ts';
import type { Instructions } from './instructions.ts';
import { Memory, StopCount } from './memory.ts';

/** Where all of them are. */
interface Place {
  readonly cwd: string;
  /** Where the client keeps its conversations, where that is one place. */
  readonly transcript_path?: string;
}

/** The sessions of one process of a client. What a subagent does belongs to the user's session that started it. */
export class Sessions {
  readonly #shim: Shim;
  readonly #place: Place;
  readonly #toast: (text: string) => void;
  readonly #parents = new Memory<string | null>();
  readonly #stops = new StopCount();
  readonly #env = new Memory<Readonly<Record<string, string>>>();
  /** What the model said last in each: no client repeats it at the end of a turn. */
  readonly lastTexts = new Memory<string>();

  /** `toast` shows the user something. */
  constructor(shim: Shim, place: Place, toast: (text: string) => void) {
    this.#shim = shim;
    this.#place = place;
    this.#toast = toast;
  }

  /** `parent`: the session that started it; null for one of the user's. */
  begin(event: string, id: string, parent: string | null, more: object = {}): void {
    this.#parents.set(id, parent);
    this.report(event, id, more);
  }

  isChild(id: string): boolean {
    return typeof this.#parents.get(id) === 'string';
  }

  async ask(event: string, id: string, more: object): Promise<Instructions> {
    return this.#heard(id, await this.#shim.ask(event, this.#payload(id, more)));
  }

  report(event: string, id: string, more: object): void {
    void this.#shim.report(event, this.#payload(id, more)).then((said) => this.#heard(id, said));
  }

  /** A prompt of the user's begins a turn. `resumed`: the event of a session that began in another process. */
  beginTurn(id: string, resumed: string): void {
    this.#stops.began(id);
    if (this.#parents.get(id) === undefined) this.begin(resumed, id, null);
  }

  /** May the turn end? It continues with the prompt in the answer, if there is one. */
  async askToStop(event: string, id: string): Promise<Instructions> {
    return this.#counted(id, await this.#shim.ask(event, this.#stop(id)));
  }

  /** The same, while the client is blocked. */
  askToStopSync(event: string, id: string): Instructions {
    return this.#counted(id, this.#shim.askSync(event, this.#stop(id)));
  }

  /** Variables for the commands of a session. */
  env(id: string): Readonly<Record<string, string>> {
    return this.#env.get(this.#root(id)) ?? {};
  }

  /** Reports the end of the user's sessions, and waits until all reports have arrived. */
  async end(event: string): Promise<void> {
    for (const id of this.#parents.keys()) if (!this.isChild(id)) this.report(event, id, {});
    await this.#shim.settled();
  }

  #stop(id: string) {
    const last = this.lastTexts.get(id) ?? null;
    return this.#payload(id, { stop_hook_active: this.#stops.isActive(id), last });
  }

  #counted(id: string, said: Instructions): Instructions {
    if (said.prompt !== undefined) this.#stops.refused(id);
    return this.#heard(id, said);
  }

  /** What is done in the same way on each event. */
  #heard(id: string, said: Instructions): Instructions {
    const root = this.#root(id);
    if (said.env) this.#env.set(root, { ...this.#env.get(root), ...said.env });
    if (said.toast) this.#toast(said.toast);
    return said;
  }

  #payload(id: string, more: object) {
    const agent = this.isChild(id) ? { agent_id: id } : {};
    return { session_id: this.#root(id), ...this.#place, ...agent, ...more };
  }

  /** The user's session that it belongs to. */
  #root(id: string): string {
    const parent = this.#parents.get(id);
    return typeof parent === 'string' && parent !== id ? this.#root(parent) : id;
  }
}
