import * as v from 'valibot';
import { messageOf } from '../../../model/errors.ts';
import type { NativeAnswer, NativeCall } from '../../../model/native.ts';
import { type OwnHooks, ownHooks } from './own-hooks.ts';
import type { ServerRequest } from './peer.ts';
import { askedItem, callIdOf, isReported, isWhole, itemOf, summaryOf, turnIdOf } from './subjects.ts';
import { type ItemWire, itemWire, PARAMS, read, type ThreadWire } from './wire.ts';

/** What an observer works with; nothing here knows how messages travel. */
export interface ObserverParts {
  /** Decides and records. */
  call(call: NativeCall, signal?: AbortSignal): Promise<NativeAnswer>;
  /** Sends a request to the server. */
  ask(method: string, params: unknown): Promise<unknown>;
  newId(): string;
  now(): number;
  /** Reports a failure in background work. */
  problem(message: string): void;
}

/** What is remembered of a turn while it goes on. */
interface TurnState {
  /** We saw it start. On servers that we join, turns may already be running. */
  known: boolean;
  /** `turn/started` as it came, until its prompt is known. */
  started: unknown;
  /** The user's last message. */
  prompt: ItemWire | null;
  /** How many prompts our own hook has reported whose items are still to come. */
  reportedPrompts: number;
  reportedStop: boolean;
  /** Whether our own hook has reported a call, by the id of the item. */
  readonly reportedCalls: Map<string, boolean>;
  /** As last seen, by id. */
  readonly items: Map<string, ItemWire>;
  /** `item/completed` of calls that our own hook is about to report. */
  readonly finished: Map<string, unknown>;
}

function newTurn(): TurnState {
  return {
    known: false,
    started: null,
    prompt: null,
    reportedPrompts: 0,
    reportedStop: false,
    reportedCalls: new Map(),
    items: new Map(),
    finished: new Map(),
  };
}

type ItemMessage = v.InferOutput<typeof PARAMS.item>;

/**
 * Turns the messages about one thread into calls of Hookline.
 *
 * Hooks and the app-server report the same calls: `tool_use_id` of the one is the item's id of the other. Whatever a
 * hook of ours has reported, or is going to report, is not reported again from here, so that a call is one call in
 * the store. The server's own account of hook runs says which: it comes before the item that it is about, but for
 * the hook after a tool, so that a finished item of a call that hooks know waits for that one until the turn ends.
 */
export class ThreadObserver {
  readonly #id: string;
  readonly #parts: ObserverParts;
  #info: ThreadWire | null = null;
  #hooks: Promise<OwnHooks> | null = null;
  #ended = false;
  #turn: TurnState = newTurn();
  #queue: Promise<void> = Promise.resolve();

  constructor(id: string, parts: ObserverParts) {
    this.#id = id;
    this.#parts = parts;
  }

  /** Resolves when all messages so far are on record. */
  settled(): Promise<void> {
    return this.#queue;
  }

  notification(method: string, params: unknown): void {
    this.#info = read(PARAMS.threadStarted, params)?.thread ?? this.#info;
    this.#enqueue(() => this.#handle(method, params));
  }

  /** What is known about the thread; null when the server does not tell. */
  async info(): Promise<ThreadWire | null> {
    if (this.#info) return this.#info;
    const answer = await this.#parts.ask('thread/read', { threadId: this.#id }).catch(() => null);
    this.#info = read(PARAMS.threadStarted, answer)?.thread ?? null;
    return this.#info;
  }

  /** The call for an approval, after everything that came before it. */
  approvalCall({ method, params }: ServerRequest): Promise<NativeCall> {
    return new Promise((resolve) => {
      this.#enqueue(async () => {
        await this.info();
        await this.#catchUp(turnIdOf(params));
        await this.#reportTurn(null);
        const known = itemOf(this.#turn.items, params);
        const own = known === null ? askedItem(method, params) : null;
        if (own) this.#turn.items.set(own.id, own);
        resolve(this.#callOf(method, params, known));
      });
    });
  }

  #ownHooks(): Promise<OwnHooks> {
    this.#hooks ??= ownHooks(this.#parts.ask, this.#info?.cwd ?? null);
    return this.#hooks;
  }

  /** In the order of arrival, so that the store has them in it too. */
  #enqueue(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(work).catch((error: unknown) => this.#parts.problem(messageOf(error)));
  }

  async #handle(method: string, params: unknown): Promise<void> {
    const info = await this.info();
    // Titles and other chores have threads that the user does not see.
    if (info?.ephemeral) return;
    const hooks = await this.#ownHooks();
    switch (method) {
      case 'thread/started':
        this.#ended = false;
        if (!hooks.run(info?.parentThreadId ? 'subagentStart' : 'sessionStart'))
          await this.#report(method, params);
        return;
      case 'thread/status/changed':
        if (v.parse(PARAMS.status, params).status.type === 'notLoaded')
          await this.#end(method, params, hooks);
        return;
      case 'thread/archived':
      case 'thread/archive':
      case 'thread/closed':
      case 'thread/deleted':
        return await this.#end(method, params, hooks);
      case 'turn/started':
        this.#turn.known = true;
        this.#turn.started = params;
        return;
      case 'turn/completed':
        return await this.#turnCompleted(params, hooks);
      case 'item/started':
        return await this.#itemStarted(v.parse(PARAMS.item, params), hooks);
      case 'item/completed':
        return await this.#itemCompleted(v.parse(PARAMS.item, params), hooks);
      case 'hook/completed':
        return await this.#hookCompleted(params, hooks);
      case 'thread/tokenUsage/updated':
        if (!hooks.run('postModelRequest')) await this.#report(method, params);
        return;
      case 'warning':
      case 'error':
        return await this.#report(method, params);
    }
  }

  async #end(method: string, params: unknown, hooks: OwnHooks): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    const event = this.#info?.parentThreadId ? 'subagentStop' : 'sessionEnd';
    if (!hooks.run(event)) await this.#report(method, params);
  }

  async #itemStarted(params: ItemMessage, hooks: OwnHooks): Promise<void> {
    const { item } = params;
    this.#turn.items.set(item.id, item);
    if (item.type === 'userMessage') {
      await this.#promptStarted(params);
      return;
    }
    const isLate = !this.#turn.known;
    await this.#catchUp(params.turnId);
    await this.#reportTurn(null);
    if (item.type === 'contextCompaction' && hooks.run('preCompact')) return;
    // In a turn that was running when we joined, the account of the hook may have come before us.
    const reported = this.#turn.reportedCalls.get(item.id) ?? (isLate && hooks.run('preToolUse'));
    this.#turn.reportedCalls.set(item.id, reported);
    if (isReported(item) && !reported) await this.#report('item/started', params);
  }

  async #promptStarted(params: ItemMessage): Promise<void> {
    const turn = this.#turn;
    turn.known = true;
    if (turn.reportedPrompts > 0) {
      turn.reportedPrompts -= 1;
      turn.started = null;
      turn.prompt = params.item;
    } else if (turn.started !== null) {
      await this.#reportTurn(params.item);
    } else {
      // Said while the turn was going on, or in a turn that started before we joined.
      turn.prompt = params.item;
      await this.#report('item/started', params);
    }
  }

  async #itemCompleted(params: ItemMessage, hooks: OwnHooks): Promise<void> {
    const known = this.#turn.items.get(params.item.id);
    // A client that joins in the middle of a call gets only its end; the history has its start all the same.
    if (!known && isWhole(params.item)) await this.#itemStarted(params, hooks);
    const item = { ...known, ...params.item };
    const whole = { ...params, item };
    this.#turn.items.set(item.id, item);
    await this.#reportTurn(null);
    if (item.type === 'message') return await this.#report('item/completed', whole);
    if (item.type === 'contextCompaction' && hooks.run('postCompact')) return;
    if (!isReported(item)) return;
    // No hook is called after a call that was declined.
    const hookFollows = this.#turn.reportedCalls.get(item.id) && hooks.run('postToolUse');
    if (hookFollows && item.status !== 'declined') this.#turn.finished.set(item.id, whole);
    else await this.#report('item/completed', whole);
  }

  async #hookCompleted(params: unknown, hooks: OwnHooks): Promise<void> {
    const { run } = v.parse(PARAMS.hook, params);
    const turn = this.#turn;
    const isOurs = hooks.has(run);
    if (isOurs && run.eventName === 'preToolUse')
      turn.reportedCalls.set(callIdOf(run), run.status !== 'failed');
    if (!isOurs || run.status === 'failed') return await this.#report('hook/completed', params);
    if (run.eventName === 'userPromptSubmit') turn.reportedPrompts += 1;
    if (run.eventName === 'stop') turn.reportedStop = true;
    if (run.eventName === 'postToolUse') turn.finished.delete(callIdOf(run));
  }

  async #turnCompleted(params: unknown, hooks: OwnHooks): Promise<void> {
    const { id, status } = v.parse(PARAMS.turn, params).turn;
    await this.#catchUp(id);
    await this.#reportTurn(null);
    const turn = this.#turn;
    this.#turn = newTurn();
    for (const finished of turn.finished.values()) await this.#report('item/completed', finished);
    const reported = status === 'interrupted' ? hooks.run('interrupt') : turn.reportedStop;
    if (!reported || status === 'failed') await this.#report('turn/completed', params, turn.prompt);
  }

  /** Reports the prompt of a turn that was running before we joined, unless a hook of ours has. */
  async #catchUp(turnId: string | null | undefined): Promise<void> {
    if (this.#turn.known) return;
    this.#turn.known = true;
    if ((await this.#ownHooks()).run('userPromptSubmit')) return;
    const threadId = this.#id;
    const answer = await this.#parts.ask('thread/read', { threadId, includeTurns: true }).catch(() => null);
    const running = read(withTurns, answer)?.thread.turns.find(({ id }) => id === turnId);
    const prompt = running?.items.find(({ type }) => type === 'userMessage');
    if (!running || !prompt) return;
    this.#turn.prompt = prompt;
    const turn = { id: running.id, status: running.status };
    await this.#report('turn/started', { threadId, turn }, prompt);
  }

  /** A turn starts without its prompt; that comes with the first item. */
  async #reportTurn(prompt: ItemWire | null): Promise<void> {
    const { started } = this.#turn;
    this.#turn.started = null;
    this.#turn.prompt ??= prompt;
    if (started !== null) await this.#report('turn/started', started, prompt);
  }

  async #report(method: string, params: unknown, item: ItemWire | null = null): Promise<void> {
    await this.#parts.call(this.#callOf(method, params, item));
  }

  #callOf(method: string, params: unknown, item: ItemWire | null): NativeCall {
    const payload = { method, params, thread: summaryOf(this.#info), item };
    return { id: this.#parts.newId(), receivedAt: this.#parts.now(), event: method, payload, env: {} };
  }
}

const withTurns = v.looseObject({
  thread: v.looseObject({
    turns: v.array(
      v.looseObject({ id: v.string(), status: v.nullish(v.string()), items: v.array(itemWire) }),
    ),
  }),
});
