import * as v from 'valibot';
import type { NativeAnswer, NativeCall } from '../../agent.ts';
import { type OwnHooks, ownHooks } from './own-hooks.ts';
import type { ServerRequest } from './peer.ts';
import { brief, callIdOf, isTold, itemAsked, threadIdOf, turnIdOf } from './subjects.ts';
import { newTurn, type ThreadState } from './thread-state.ts';
import { type ItemWire, itemWire, PARAMS, read, type ThreadWire } from './wire.ts';

/** What an observer works with; nothing here knows how messages travel. */
export interface ObserverParts {
  /** Judges and records. */
  call(call: NativeCall, signal?: AbortSignal): Promise<NativeAnswer>;
  /** Asks the server something. */
  ask(method: string, params: unknown): Promise<unknown>;
  newId(): string;
  now(): number;
  /** Something went wrong that nobody waits for. */
  problem(message: string): void;
}

/** Makes calls of Hookline out of what a server says. */
export interface Observer {
  notification(method: string, params: unknown): void;
  /** The result to answer with, or null to leave the question to others. Never rejects. */
  judge(request: ServerRequest, signal?: AbortSignal): Promise<Readonly<Record<string, unknown>> | null>;
  /** What is known of a thread; null when the server does not tell. */
  thread(threadId: string): Promise<ThreadWire | null>;
  /** Resolves when all that was said so far is on record. */
  settled(): Promise<void>;
  /** The same, and the sessions that are open end with the server, which does not say so to a client that leaves. */
  ended(): Promise<void>;
}

/**
 * Hooks and the app-server tell of the same calls: `tool_use_id` of the one is the item's id of the other. Whatever a
 * hook of ours has reported, or is going to report, is not reported again from here, so that a call is one call in
 * the store. The server's own account of hook runs says which: it comes before the item that it is about, but for
 * the hook after a tool, so that a finished item of a call that hooks know waits for that one until the turn ends.
 */
export function createObserver(parts: ObserverParts): Observer {
  const threads = new Map<string, ThreadState>();

  function stateOf(threadId: string): ThreadState {
    const known = threads.get(threadId);
    if (known) return known;
    const state: ThreadState = {
      info: null,
      hooks: null,
      ended: false,
      turn: newTurn(),
      queue: Promise.resolve(),
    };
    threads.set(threadId, state);
    return state;
  }

  /** In the order of arrival for each thread, so that the store has them in it too. */
  function enqueue(state: ThreadState, work: () => Promise<void>): void {
    state.queue = state.queue.then(work).catch((error: unknown) => parts.problem(messageOf(error)));
  }

  async function infoOf(state: ThreadState, threadId: string): Promise<ThreadWire | null> {
    if (state.info) return state.info;
    const answer = await parts.ask('thread/read', { threadId }).catch(() => null);
    state.info = read(PARAMS.threadStarted, answer)?.thread ?? null;
    return state.info;
  }

  function hooksOf(state: ThreadState): Promise<OwnHooks> {
    state.hooks ??= ownHooks(parts.ask, state.info?.cwd ?? null);
    return state.hooks;
  }

  function callOf(state: ThreadState, method: string, params: unknown, item: ItemWire | null): NativeCall {
    const payload = { method, params, thread: brief(state.info), item };
    return { id: parts.newId(), receivedAt: parts.now(), event: method, payload, env: {} };
  }

  async function tell(
    state: ThreadState,
    method: string,
    params: unknown,
    item: ItemWire | null = null,
  ): Promise<void> {
    await parts.call(callOf(state, method, params, item));
  }

  /** A turn begins without its prompt; that comes with the first item. */
  async function tellTurn(state: ThreadState, prompt: ItemWire | null): Promise<void> {
    const { turn } = state;
    const { begun } = turn;
    turn.begun = null;
    turn.prompt ??= prompt;
    if (begun !== null) await tell(state, 'turn/started', begun, prompt);
  }

  /** The prompt of a turn that had begun before we listened. Our own hook has reported it, if there is one. */
  async function catchUp(
    state: ThreadState,
    threadId: string,
    turnId: string | null | undefined,
  ): Promise<void> {
    if (state.turn.known) return;
    state.turn.known = true;
    if ((await hooksOf(state)).run('userPromptSubmit')) return;
    const answer = await parts.ask('thread/read', { threadId, includeTurns: true }).catch(() => null);
    const begun = read(withTurns, answer)?.thread.turns.find(({ id }) => id === turnId);
    const prompt = begun?.items.find(({ type }) => type === 'userMessage');
    if (!begun || !prompt) return;
    state.turn.prompt = prompt;
    await tell(state, 'turn/started', { threadId, turn: { id: begun.id, status: begun.status } }, prompt);
  }

  async function take(state: ThreadState, threadId: string, method: string, params: unknown): Promise<void> {
    const info = await infoOf(state, threadId);
    // Titles and other odd jobs have threads that no person sees.
    if (info?.ephemeral) return;
    const hooks = await hooksOf(state);
    const child = Boolean(info?.parentThreadId);
    const { turn } = state;
    switch (method) {
      case 'thread/started':
        state.ended = false;
        if (!hooks.run(child ? 'subagentStart' : 'sessionStart')) await tell(state, method, params);
        return;
      case 'thread/status/changed':
        if (v.parse(PARAMS.status, params).status.type !== 'notLoaded') return;
        return await end(state, method, params, hooks);
      case 'thread/archived':
      case 'thread/closed':
      case 'thread/deleted':
        return await end(state, method, params, hooks);
      case 'turn/started':
        turn.known = true;
        turn.begun = params;
        return;
      case 'turn/completed':
        await turnCompleted(state, params, hooks);
        return;
      case 'item/started':
        return await itemStarted(state, v.parse(PARAMS.item, params), hooks);
      case 'item/completed':
        return await itemCompleted(state, v.parse(PARAMS.item, params), hooks);
      case 'hook/completed':
        return await hookCompleted(state, params, hooks);
      case 'thread/tokenUsage/updated':
        if (!hooks.run('postModelRequest')) await tell(state, method, params);
        return;
      case 'warning':
      case 'error':
        return await tell(state, method, params);
      default:
        return;
    }
  }

  async function end(state: ThreadState, method: string, params: unknown, hooks: OwnHooks): Promise<void> {
    if (state.ended) return;
    state.ended = true;
    const event = state.info?.parentThreadId ? 'subagentStop' : 'sessionEnd';
    if (!hooks.run(event)) await tell(state, method, params);
  }

  async function itemStarted(
    state: ThreadState,
    params: v.InferOutput<typeof PARAMS.item>,
    hooks: OwnHooks,
  ): Promise<void> {
    const { turn } = state;
    const { item } = params;
    turn.items.set(item.id, item);
    if (item.type === 'userMessage') {
      turn.known = true;
      if (turn.reportedPrompts > 0) {
        turn.reportedPrompts -= 1;
        turn.begun = null;
        turn.prompt = item;
      } else if (turn.begun !== null) {
        await tellTurn(state, item);
      } else {
        // Said while the turn was going on, or in a turn whose beginning was before our time.
        turn.prompt = item;
        await tell(state, 'item/started', params);
      }
      return;
    }
    const late = !turn.known;
    await catchUp(state, params.threadId, params.turnId);
    await tellTurn(state, null);
    if (item.type === 'contextCompaction' && hooks.run('preCompact')) return;
    // Of a turn that we came late to, the account of the hook may have been before our time.
    const reported = turn.reportedCalls.get(item.id) ?? (late && hooks.run('preToolUse'));
    turn.reportedCalls.set(item.id, reported);
    if (isTold(item) && !reported) await tell(state, 'item/started', params);
  }

  async function itemCompleted(
    state: ThreadState,
    params: v.InferOutput<typeof PARAMS.item>,
    hooks: OwnHooks,
  ): Promise<void> {
    const { turn } = state;
    const { item } = params;
    // Who joins in the middle of a call hears only of its end; the account of it begins with its beginning all the same.
    if (!turn.items.has(item.id) && isTold(item)) await itemStarted(state, params, hooks);
    turn.items.set(item.id, item);
    if (item.type === 'contextCompaction' && hooks.run('postCompact')) return;
    if (!isTold(item)) return;
    // No hook is called after a call that was declined.
    const hookFollows = turn.reportedCalls.get(item.id) && hooks.run('postToolUse');
    if (hookFollows && item.status !== 'declined') turn.finished.set(item.id, params);
    else await tell(state, 'item/completed', params);
  }

  async function hookCompleted(state: ThreadState, params: unknown, hooks: OwnHooks): Promise<void> {
    const { run } = v.parse(PARAMS.hook, params);
    const { turn } = state;
    const ours = hooks.has(run);
    if (ours && run.eventName === 'preToolUse')
      turn.reportedCalls.set(callIdOf(run), run.status !== 'failed');
    if (!ours || run.status === 'failed') return await tell(state, 'hook/completed', params);
    if (run.eventName === 'userPromptSubmit') turn.reportedPrompts += 1;
    if (run.eventName === 'stop') turn.reportedStop = true;
    if (run.eventName === 'postToolUse') turn.finished.delete(callIdOf(run));
  }

  async function turnCompleted(state: ThreadState, params: unknown, hooks: OwnHooks): Promise<void> {
    const { threadId, turn: over } = v.parse(PARAMS.turn, params);
    await catchUp(state, threadId, over.id);
    await tellTurn(state, null);
    const { turn } = state;
    state.turn = newTurn();
    for (const finished of turn.finished.values()) await tell(state, 'item/completed', finished);
    const { status } = over;
    const reported = status === 'interrupted' ? hooks.run('interrupt') : turn.reportedStop;
    if (!reported || status === 'failed') await tell(state, 'turn/completed', params, turn.prompt);
  }

  async function judge(
    { method, params }: ServerRequest,
    signal?: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>> | null> {
    const threadId = threadIdOf(params);
    if (threadId === null) return null;
    const state = stateOf(threadId);
    try {
      const call = await new Promise<NativeCall>((resolve) => {
        enqueue(state, async () => {
          await infoOf(state, threadId);
          await catchUp(state, threadId, turnIdOf(params));
          resolve(callOf(state, method, params, itemAsked(state.turn.items, params)));
        });
      });
      // Not in the queue: a person may take long, and other calls of the thread go on meanwhile.
      const answer = await parts.call(call, signal);
      return answer.action === 'json_output' ? answer.stdout_json : null;
    } catch (error) {
      parts.problem(`${method} is left to others: ${messageOf(error)}`);
      return null;
    }
  }

  async function settled(): Promise<void> {
    await Promise.all([...threads.values()].map(({ queue }) => queue));
  }

  return {
    notification: (method, params) => {
      const threadId = threadIdOf(params);
      if (threadId === null) return;
      const state = stateOf(threadId);
      state.info = read(PARAMS.threadStarted, params)?.thread ?? state.info;
      enqueue(state, () => take(state, threadId, method, params));
    },
    judge,
    thread: (threadId) => infoOf(stateOf(threadId), threadId),
    settled,
    ended: async () => {
      for (const [threadId, state] of threads) {
        enqueue(state, () => take(state, threadId, 'thread/closed', { threadId }));
      }
      await settled();
    },
  };
}

const withTurns = v.looseObject({
  thread: v.looseObject({
    turns: v.array(
      v.looseObject({ id: v.string(), status: v.nullish(v.string()), items: v.array(itemWire) }),
    ),
  }),
});

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
