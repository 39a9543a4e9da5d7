import { userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import type { Answer, Approval } from '../approvals/approval.ts';
import { answerApproval, fetchApprovals } from '../client/approvals.ts';
import { type Client, connectOrStart } from '../client/client.ts';
import { openHistoryReader } from '../client/history.ts';
import type { HomePaths } from '../home/paths.ts';
import type { StoredEvent } from '../store/stored-event.ts';

export interface LiveState {
  readonly connected: boolean;
  /** Oldest first. */
  readonly events: readonly StoredEvent[];
  readonly pending: readonly Approval[];
  /** What came of the last key, or what is wrong. */
  readonly note: string | null;
}

/** What the screen shows, kept up to date, and the ways to answer. */
export interface Live {
  state(): LiveState;
  subscribe(listener: () => void): () => void;
  answer(ids: readonly string[], answer: Answer): void;
  keepGoing(event: StoredEvent, message: string): void;
  /** Leaves a gate standing for the session of an event, or opens it. */
  toggleGate(event: StoredEvent, gate: 'untested' | 'dirty'): void;
  close(): void;
}

/** The eye takes in no more, and a terminal that is drawn for every one of 200 events a second flickers. */
const REFRESH_MS = 100;
const RETRY_MS = 500;
const KEPT_EVENTS = 500;

const gates = v.object({ standing: v.object({ untested: v.boolean(), dirty: v.boolean() }) });

function gatePath({ source, sessionId }: StoredEvent): string {
  return `/api/sessions/${source}/${encodeURIComponent(sessionId)}/gate`;
}

export function openLive(paths: HomePaths): Live {
  const listeners = new Set<() => void>();
  const end = new AbortController();
  const reader = openHistoryReader(paths);
  let current: LiveState = { connected: false, events: [], pending: [], note: null };
  let client: Client | null = null;
  let timer: NodeJS.Timeout | null = null;

  function set(change: Partial<LiveState>): void {
    current = { ...current, ...change };
    for (const listener of listeners) listener();
  }

  async function refresh(): Promise<void> {
    timer = null;
    const fresh = reader.readOn(KEPT_EVENTS);
    const pending = client ? (await fetchApprovals(client)).pending : [];
    const events = fresh.length === 0 ? current.events : [...current.events, ...fresh].slice(-KEPT_EVENTS);
    set({ events, pending });
  }

  /** However much news there is, the screen is drawn at most so often. */
  function soon(): void {
    timer ??= setTimeout(() => void refresh().catch(failed), REFRESH_MS);
  }

  /** The feed is open: from now on agents wait for whoever sits here. */
  function news(): void {
    if (!current.connected) set({ connected: true, note: null });
    soon();
  }

  function failed(error: unknown): void {
    set({ note: error instanceof Error ? error.message : String(error) });
  }

  async function run(): Promise<void> {
    while (!end.signal.aborted) {
      try {
        ({ client } = await connectOrStart(paths));
        await client.follow(news, end.signal, 'terminal');
      } catch (error) {
        failed(error);
      }
      client = null;
      if (end.signal.aborted) return;
      set({ connected: false, pending: [] });
      await pause(RETRY_MS, undefined, { signal: end.signal }).catch(() => {});
    }
  }
  void run();

  async function give(ids: readonly string[], answer: Answer): Promise<void> {
    if (!client) return;
    const by = `${userInfo().username} (terminal)`;
    for (const id of ids) {
      const { ok, approval } = await answerApproval(client, id, answer, by);
      set({
        note: ok ? `${id} ${approval.state}` : `${id} was ${approval.state} by ${approval.settledBy} already`,
      });
    }
    soon();
  }

  async function toggle(event: StoredEvent, gate: 'untested' | 'dirty'): Promise<void> {
    if (!client) return;
    const { standing } = v.parse(gates, await client.post(gatePath(event), {}));
    const stands = !standing[gate];
    await client.post(gatePath(event), { [gate]: stands });
    const what = gate === 'untested' ? 'its changes are not tested' : 'its tree is dirty';
    set({ note: stands ? `It may not stop while ${what}.` : `It may stop even if ${what}.` });
  }

  return {
    state: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    answer: (ids, answer) => void give(ids, answer).catch(failed),
    keepGoing(event, message) {
      const done = () => set({ note: 'It will go on when it wants to stop.' });
      void client?.post(gatePath(event), { message }).then(done, failed);
    },
    toggleGate: (event, gate) => void toggle(event, gate).catch(failed),
    close() {
      end.abort();
      if (timer) clearTimeout(timer);
      reader.close();
    },
  };
}
