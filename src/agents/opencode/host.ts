import { Calls } from '../kit/shim/calls.ts';
import { createShim, type Shim, type ShimSettings } from '../kit/shim/core.ts';
import { type Instructions, refusalIn } from '../kit/shim/instructions.ts';
import { Memory } from '../kit/shim/memory.ts';
import { Sessions } from '../kit/shim/sessions.ts';
import type { BusEvent, Client, Hooks, Part, PluginInput } from './plugin.ts';
import { addition, addToResult, databaseOf, isHeadless, onlyOurs, promptIn } from './plugin.ts';

/** What the client loads. It has no timeout for a hook, and says nothing about a plugin that failed to load (1.18.33). */
export function host(settings: ShimSettings) {
  return async (input: PluginInput): Promise<Hooks> => {
    const shim = createShim(settings);
    return onlyOurs(new Host(shim, input, settings).hooks(), shim.takes);
  };
}

class Host {
  readonly #shim: Shim;
  readonly #client: Client;
  readonly #sessions: Sessions;
  readonly #calls: Calls;
  /** Prompts of ours, turns that have ended, and summaries that are being written, by session. */
  readonly #own = new Memory<string>();
  readonly #ended = new Memory<true>();
  readonly #compacting = new Memory<true>();
  readonly #isHeadless: boolean = isHeadless(process.argv);

  constructor(shim: Shim, { client, directory }: PluginInput, { agent }: ShimSettings) {
    this.#shim = shim;
    this.#client = client;
    this.#calls = new Calls(shim);
    const place = { cwd: directory, transcript_path: databaseOf(agent) };
    this.#sessions = new Sessions(shim, place, (message) => this.#toast(message));
    shim.hello(null);
  }

  hooks(): Hooks {
    const sessions = this.#sessions;
    return {
      event: ({ event }) => this.#onEvent(event).catch(() => {}),
      'chat.message': async (input, output) => {
        const { sessionID: id } = input;
        if (sessions.isChild(id) || this.#own.take(id) === promptIn(output.parts)) return;
        sessions.beginTurn(id, 'session.resumed');
        this.#shim.warnUnguarded(this.#isHeadless ? null : (text) => this.#toast(text));
        const parts = output.parts.filter(({ type }) => type === 'text');
        const said = await this.#ask('chat.message', id, { input, output: { parts } });
        if (said.append) output.parts.push(addition(said.append, output));
      },
      'command.execute.before': async (input, output) => {
        const said = await this.#ask('command.execute.before', input.sessionID, { input, output });
        if (said.append) output.parts.push({ type: 'text', text: said.append, synthetic: true });
      },
      'tool.execute.before': async (input, output) => {
        const said = await sessions.ask('tool.execute.before', input.sessionID, { input, output });
        this.#calls.judged(input.callID, input.tool, Object.assign(output.args, said.args), said);
        await this.#carryOut(said, input.sessionID);
      },
      'tool.execute.after': async (input, output) => {
        const about = { input, output, ...this.#calls.ended(input.callID, input.args) };
        addToResult(output, await this.#ask('tool.execute.after', input.sessionID, about));
      },
      'experimental.text.complete': async ({ sessionID }, { text }) =>
        sessions.lastTexts.set(sessionID, text),
      'shell.env': async ({ sessionID }, { env }) => {
        if (sessionID) Object.assign(env, sessions.env(sessionID));
      },
      'experimental.session.compacting': async (input, output) => {
        this.#compacting.set(input.sessionID, true);
        const said = await this.#ask('experimental.session.compacting', input.sessionID, { input });
        if (said.append) output.context.push(said.append);
      },
      dispose: () => sessions.end('dispose'),
    };
  }

  #toast(message: string): void {
    this.#client.tui.showToast({ body: { message, variant: 'info' } }).catch(() => {});
  }

  async #onEvent({ type, properties }: BusEvent): Promise<void> {
    const { sessionID: id = '', info, part } = properties;
    if (type === 'session.created' && info) {
      this.#shim.hello(info.version ?? null);
      this.#sessions.begin(type, info.id, info.parentID ?? null, { agent_type: info.agent });
    } else if (type === 'permission.asked') await this.#permission(properties);
    else if (type === 'message.part.updated' && part) this.#onPart(id, part);
    else if (type === 'session.idle') await this.#onIdle(id);
    else if (type === 'session.error') this.#sessions.report(type, id, { error: properties.error ?? null });
    else if (type === 'session.compacted') {
      this.#compacting.take(id);
      this.#sessions.report(type, id, {});
    }
  }

  #onPart(id: string, { type, reason, callID = '', tool, state }: Part): void {
    const isEnd = type === 'step-finish' && reason === 'stop' && !this.#compacting.get(id);
    if (isEnd && !this.#sessions.isChild(id)) {
      // The process would be gone before an answer came, so it stands still until there is one.
      if (this.#isHeadless) this.#goOn(id, this.#sessions.askToStopSync('session.idle', id));
      else this.#ended.set(id, true);
    }
    if (type !== 'tool' || state?.status !== 'error' || !this.#calls.failed(callID)) return;
    const input = { tool, sessionID: id, callID, args: state.input };
    this.#sessions.report('tool.failed', id, { input, error: state.error ?? '' });
  }

  async #onIdle(id: string): Promise<void> {
    const last = this.#sessions.lastTexts.get(id) ?? null;
    if (this.#sessions.isChild(id)) this.#sessions.report('subagent.idle', id, { last });
    else if (this.#ended.take(id)) this.#goOn(id, await this.#sessions.askToStop('session.idle', id));
  }

  /** In `run`, an answer counts only in the same tick (1.18.33): that to the call itself is known by then. */
  async #permission(asked: BusEvent['properties']): Promise<void> {
    const { id = '', sessionID = '', tool } = asked;
    const said = this.#calls.said(tool?.callID ?? '');
    if (said.reply) return this.#reply(id, said);
    const about = { asked, call: this.#calls.about(tool?.callID ?? '') };
    if (this.#isHeadless) this.#sessions.report('permission.asked', sessionID, about);
    else this.#reply(id, await this.#sessions.ask('permission.asked', sessionID, about));
  }

  #reply(requestID: string, { reply }: Instructions): void {
    if (!reply) return;
    const body = { reply: reply.answer, ...(reply.message ? { message: reply.message } : {}) };
    const request = { url: '/permission/{requestID}/reply', path: { requestID }, body };
    this.#client._client.post(request).catch(() => {});
  }

  #goOn(id: string, { prompt }: Instructions): void {
    if (prompt === undefined) return;
    this.#own.set(id, prompt);
    const body = { parts: [{ type: 'text', text: prompt }] };
    this.#client.session.promptAsync({ path: { id }, body }).catch(() => {});
  }

  async #ask(event: string, id: string, more: object): Promise<Instructions> {
    const said = await this.#sessions.ask(event, id, more);
    await this.#carryOut(said, id);
    return said;
  }

  /** Throws what refuses it: the model reads that, and nothing else. */
  async #carryOut(said: Instructions, id: string): Promise<void> {
    if (said.abort !== undefined) await this.#client.session.abort({ path: { id } }).catch(() => {});
    const why = refusalIn(said);
    if (why !== null) throw new Error(why);
  }
}
