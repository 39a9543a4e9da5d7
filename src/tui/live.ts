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
  /** The calls and other events in them, by start time. */
  readonly items: readonly Item[];
  readonly pending: readonly ShownApproval[];
  /** Recently answered, expired or withdrawn. */
  readonly recent: readonly ShownApproval[];
  /** Sessions that have not ended, the most recently active first. */
  readonly sessions: readonly LiveSession[];
  /** When protected rules apply again; null while they do. */
  readonly unlockedUntil: string | null;
  /** Null while away mode is off. */
  readonly away: AwayState | null;
  /** Problems with the home. */
  readonly alerts: readonly Alert[];
  /** The result of the last key or an error, with its time. */
  readonly note: { readonly text: string; readonly at: number } | null;
}

/** The live data of the screen, and the actions on it. */
export interface Live {
  state(): LiveState;
  subscribe(listener: () => void): () => void;
  answer(ids: readonly string[], answer: Reply): void;
  keepGoing(event: StoredEvent, message: string): void;
  /** Turns a gate of the event's session on or off. */
  toggleGate(event: StoredEvent, gate: 'untested' | 'dirty'): void;
  close(): void;
}

/** Redraws no more often than this: a terminal that is drawn for each of 200 events per second flickers. */
const REFRESH_MS = 100;
const RETRY_MS = 500;
const MOST_EVENTS = 500;

/** An event never changes, so its brief is computed once. */
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

/** The stored events together with the pending calls. */
export function itemsIn(
  events: readonly StoredEvent[],
  pending: LiveState['pending'],
  now: number,
): readonly Item[] {
  return itemsOf(withWaiting(events.map(briefOf), pending), now);
}

/** Reads new events and approvals, at most once per interval. */
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

/** Follows the feed, and reconnects when it ends. */
async function keepConnected(
  paths: HomePaths,
  signal: AbortSignal,
  store: StateStore,
  onNews: () => void,
  onClient: (client: Client | null) => void,
): Promise<void> {
  // The feed is open: from now on calls that need approval stay pending for this screen.
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
      // A stopped daemon removes its file and stays stopped; a crashed one leaves the file.
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

const STOPPED = 'The daemon was stopped. Run `hookline up`, or wait for the next hook call.';

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

/** Sessions with their branches, looked up at most once per second. */
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
