import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Reply, ShownApproval } from '../approvals/approval.ts';
import { fetchApprovals } from '../client/approvals.ts';
import { type Client, connect, connectOrStart } from '../client/client.ts';
import { type HistoryReader, openHistoryReader } from '../client/history.ts';
import { type Item, itemsOf } from '../history/calls/calls.ts';
import { type EventBrief, toBrief } from '../history/calls/event-brief.ts';
import { LOST_AFTER_MS } from '../history/calls/session-state.ts';
import { withWaiting } from '../history/calls/waiting.ts';
import { worldOf } from '../home/engine.ts';
import type { HomePaths } from '../home/paths.ts';
import type { Alert } from '../model/alert.ts';
import { messageOf } from '../model/errors.ts';
import type { AwayState } from '../model/people/away.ts';
import type { StoredEvent } from '../store/read/stored-event.ts';
import { atMostEvery } from './at-most-every.ts';
import type { LiveSession } from './lanes.ts';
import { createAnswered, keepGoing, sendAnswer, toggleGate } from './live-actions.ts';

export interface LiveState {
  readonly connected: boolean;
  /** Oldest first. */
  readonly events: readonly StoredEvent[];
  /** The calls in them, and what else happened, by the time at which they began. */
  readonly items: readonly Item[];
  readonly pending: readonly ShownApproval[];
  /** What was lately answered, or ended without an answer. */
  readonly recent: readonly ShownApproval[];
  /** Those that have not ended, the most recently active first. */
  readonly sessions: readonly LiveSession[];
  /** When protected rules apply again; null while they do. */
  readonly unlockedUntil: string | null;
  /** Null while somebody is here. */
  readonly away: AwayState | null;
  /** What is wrong with the home. */
  readonly alerts: readonly Alert[];
  /** What came of the last key, or what is wrong, and since when. */
  readonly note: { readonly text: string; readonly at: number } | null;
}

/** What the screen shows, kept up to date, and the ways to answer. */
export interface Live {
  state(): LiveState;
  subscribe(listener: () => void): () => void;
  answer(ids: readonly string[], answer: Reply): void;
  keepGoing(event: StoredEvent, message: string): void;
  /** Leaves a gate standing for the session of an event, or opens it. */
  toggleGate(event: StoredEvent, gate: 'untested' | 'dirty'): void;
  close(): void;
}

/** The eye takes in no more, and a terminal that is drawn for every one of 200 events a second flickers. */
const REFRESH_MS = 100;
const RETRY_MS = 500;
const MOST_EVENTS = 500;

/** An event never changes, so what is shown of it is made once. */
const briefs = new WeakMap<StoredEvent, EventBrief>();

export function briefOf(event: StoredEvent): EventBrief {
  const brief = briefs.get(event) ?? toBrief(event);
  briefs.set(event, brief);
  return brief;
}

export function openLive(paths: HomePaths): Live {
  const store = createState();
  const end = new AbortController();
  const answered = createAnswered();
  let client: Client | null = null;
  const refresher = createRefresher(paths, store, answered.without, () => client);

  function act(work: (client: Client) => Promise<void>): void {
    if (client) void work(client).catch(store.failed);
  }

  void keepConnected(paths, end.signal, store, refresher.soon, (opened) => {
    client = opened;
  });

  return {
    state: store.state,
    subscribe: store.subscribe,
    answer(ids, answer) {
      if (client === null) return;
      answered.add(ids);
      store.set({ pending: answered.without(store.state().pending) });
      act(async (to) => {
        await sendAnswer(to, ids, answer, store.note).finally(() => {
          answered.remove(ids);
          refresher.soon();
        });
      });
    },
    keepGoing: (event, message) => act((to) => keepGoing(to, event, message, store.note)),
    toggleGate: (event, gate) => act((to) => toggleGate(to, event, gate, store.note)),
    close() {
      end.abort();
      refresher.close();
    },
  };
}

/** What happened, with the calls that wait for an answer. */
export function itemsIn(
  events: readonly StoredEvent[],
  pending: LiveState['pending'],
  now: number,
): readonly Item[] {
  return itemsOf(withWaiting(events.map(briefOf), pending), now);
}

/** Reads what is new; however much news there is, at most so often. */
function createRefresher(
  paths: HomePaths,
  store: StateStore,
  unanswered: (pending: LiveState['pending']) => LiveState['pending'],
  client: () => Client | null,
): { soon(): void; close(): void } {
  const reader = openHistoryReader(paths);
  const sessions = openSessions(reader);

  async function refresh(): Promise<void> {
    const fresh = reader.readOn(MOST_EVENTS);
    const to = client();
    const asked = to ? await askDaemon(to) : NOTHING;
    const pending = unanswered(asked.pending);
    const { events } = store.state();
    const all = fresh.length === 0 ? events : [...events, ...fresh].slice(-MOST_EVENTS);
    const items = itemsIn(all, pending, Date.now());
    store.set({ ...asked, pending, events: all, items, sessions: sessions() });
  }

  const { soon, close } = atMostEvery(REFRESH_MS, () => void refresh().catch(store.failed));
  return {
    soon,
    close() {
      close();
      reader.close();
    },
  };
}

interface StateStore extends Pick<Live, 'state' | 'subscribe'> {
  set(change: Partial<LiveState>): void;
  note(text: string): void;
  failed(error: unknown): void;
}

export const EMPTY_STATE: LiveState = {
  connected: false,
  events: [],
  items: [],
  pending: [],
  recent: [],
  sessions: [],
  unlockedUntil: null,
  away: null,
  alerts: [],
  note: null,
};

function createState(): StateStore {
  const listeners = new Set<() => void>();
  let current = EMPTY_STATE;
  function set(change: Partial<LiveState>): void {
    current = { ...current, ...change };
    for (const listener of listeners) listener();
  }
  return {
    state: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set,
    note: (text) => set({ note: { text, at: Date.now() } }),
    failed: (error) => set({ note: { text: messageOf(error), at: Date.now() } }),
  };
}

/** Follows the feed, and connects again whenever it ends. */
async function keepConnected(
  paths: HomePaths,
  signal: AbortSignal,
  store: StateStore,
  onNews: () => void,
  onClient: (client: Client | null) => void,
): Promise<void> {
  // The feed is open: from now on agents wait for whoever sits here.
  const news = () => {
    if (!store.state().connected) store.set({ connected: true, note: null });
    onNews();
  };
  let mayStart = true;
  while (!signal.aborted) {
    try {
      const client = mayStart ? (await connectOrStart(paths)).client : await connect(paths);
      onClient(client);
      await client?.follow(news, signal, 'terminal');
      // A daemon that was stopped takes its file along, and stays stopped; one that crashed leaves it.
      mayStart = existsSync(paths.daemon);
      if (!mayStart) store.note(STOPPED);
    } catch (error) {
      store.failed(error);
    }
    onClient(null);
    if (signal.aborted) return;
    store.set({ connected: false, pending: [] });
    await pause(RETRY_MS, undefined, { signal }).catch(() => {});
  }
}

const STOPPED = 'The daemon was stopped. `hookline up`, or the next hook call, starts it.';

type Asked = Pick<LiveState, 'pending' | 'recent' | 'unlockedUntil' | 'away' | 'alerts'>;
const NOTHING: Asked = { pending: [], recent: [], unlockedUntil: null, away: null, alerts: [] };

async function askDaemon(client: Client): Promise<Asked> {
  const [{ pending, recent }, { unlockedUntil, away, alerts }] = await Promise.all([
    fetchApprovals(client),
    client.status(),
  ]);
  return { pending, recent, unlockedUntil, away, alerts };
}

const SESSIONS_EVERY_MS = 1_000;

/** Sessions with their branches, looked up no more often than anybody could read them. */
function openSessions(reader: HistoryReader): () => readonly LiveSession[] {
  let known: readonly LiveSession[] = [];
  let readAt = 0;
  return () => {
    const now = Date.now();
    if (now - readAt < SESSIONS_EVERY_MS) return known;
    readAt = now;
    const { branchOf } = worldOf();
    known = reader.sessions(now - LOST_AFTER_MS).map((session) => ({
      ...session,
      branch: session.cwd === null ? null : branchOf(session.cwd),
    }));
    return known;
  };
}
