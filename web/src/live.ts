import {
  type Approval,
  approvalTitle,
  type Reply,
  type ShownApproval,
} from '../../src/approvals/approval.ts';
import type { Overview, SessionBrief } from '../../src/daemon/web/shapes.ts';
import type { EventBrief } from '../../src/history/calls/event-brief.ts';
import { messageOf } from '../../src/model/errors.ts';
import { OWN_SOURCE } from '../../src/model/people/access.ts';
import type { AwayState } from '../../src/model/people/away.ts';
import { folderName } from '../../src/model/text.ts';
import { ApiError, get, has, openFeed, post } from './api.ts';
import { dropKey, readKey } from './pass.ts';

export interface LiveState {
  /** `out` without a valid login. */
  readonly phase: 'loading' | 'out' | 'in';
  readonly connected: boolean;
  readonly about: Pick<Overview, 'version' | 'agents' | 'problems' | 'startedAt'>;
  /** When protected rules apply again; null while they do. */
  readonly unlockedUntil: string | null;
  readonly away: AwayState | null;
  readonly alerts: Overview['alerts'];
  /** The paired device that this page is on; null on the machine itself. */
  readonly device: Overview['device'];
  /** Whether there are other machines to look at. */
  readonly fleet: boolean;
  /** Number of stored events. */
  readonly total: number;
  /** Oldest first. */
  readonly events: readonly EventBrief[];
  readonly pending: readonly ShownApproval[];
  /** Newest first; only those that ended while this page was open. */
  readonly settled: readonly ShownApproval[];
  /** The most recently active first. */
  readonly sessions: readonly SessionBrief[];
  /** Read aloud by screen readers. */
  readonly note: string;
}

const NOTHING: LiveState = {
  phase: 'loading',
  connected: false,
  about: { version: '', agents: [], problems: [], startedAt: '' },
  unlockedUntil: null,
  away: null,
  alerts: [],
  device: null,
  fleet: false,
  total: 0,
  events: [],
  pending: [],
  settled: [],
  sessions: [],
  note: '',
};

/** Redraws no more often than this: a page that is drawn for each of 200 events per second stutters. */
const REFRESH_MS = 150;
const RETRY_MS = 1_000;
const SESSIONS_MS = 800;
const KEPT_EVENTS = 3_000;
const KEPT_SETTLED = 30;
const LONGEST_TITLE = 160;

export interface Live {
  state(): LiveState;
  subscribe(listener: () => void): () => void;
  answer(approval: Approval, answer: Reply): Promise<boolean>;
  leave(): Promise<void>;
}

export const sessionKey = (one: { source: string; sessionId: string }): string =>
  `${one.source}/${one.sessionId}`;

/** `repo · branch` of a session, as in approvals. */
export function placeOf({
  projectId,
  cwd,
  branch,
}: Pick<SessionBrief, 'projectId' | 'cwd' | 'branch'>): string {
  return [folderName(projectId ?? cwd), branch].filter(Boolean).join(' · ');
}

export function openLive(): Live {
  const store = createStore();
  const feed = followFeed(store, createIncoming(store));
  return {
    state: store.state,
    subscribe: store.subscribe,
    answer: (approval, answer) => sendAnswer(store, approval, answer),
    async leave() {
      feed.close();
      await post('/api/logout', {}, has<{ left: boolean }>('left')).catch(() => null);
      dropKey();
      store.set({ ...NOTHING, phase: 'out' });
    },
  };
}

interface Store extends Pick<Live, 'state' | 'subscribe'> {
  set(change: Partial<LiveState>): void;
}

function createStore(): Store {
  const listeners = new Set<() => void>();
  let current = NOTHING;
  return {
    state: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(change) {
      current = { ...current, ...change };
      for (const listener of listeners) listener();
    },
  };
}

/** What the feed brings. */
interface Incoming {
  take(message: unknown): void;
  /** Drops the events that are not shown yet: they are part of what was just loaded. */
  clear(): void;
}

function createIncoming({ state, set }: Store): Incoming {
  let waiting: EventBrief[] = [];
  let timer: number | null = null;

  function flush(): void {
    timer = null;
    const { events, sessions, total } = state();
    const last = events.at(-1)?.row ?? 0;
    const fresh = waiting.filter(({ row }) => row > last);
    waiting = [];
    if (fresh.length === 0) return;
    const known = new Set(sessions.map(sessionKey));
    if (fresh.some((event) => event.source !== OWN_SOURCE && !known.has(sessionKey(event)))) askForSessions();
    set({
      events: [...events, ...fresh].slice(-KEPT_EVENTS),
      sessions: withEvents(sessions, fresh),
      total: total + fresh.length,
    });
  }

  let asking = false;
  /** An event doesn't contain the directory of its session. */
  function askForSessions(): void {
    if (asking) return;
    asking = true;
    window.setTimeout(async () => {
      asking = false;
      const found = await get('/api/recent-sessions', isSessions).catch(() => null);
      if (found) set({ sessions: found.sessions });
    }, SESSIONS_MS);
  }

  return {
    take(message) {
      if (isBriefMessage(message)) {
        waiting.push(message.brief);
        if (timer === null) timer = window.setTimeout(flush, REFRESH_MS);
      } else if (isApprovalMessage(message)) set(withApproval(state(), message.approval));
      else if (isUnlockMessage(message)) set({ unlockedUntil: message.unlockedUntil });
      else if (isAwayMessage(message)) set({ away: message.away });
      else if (isAlertMessage(message)) set({ alerts: message.alerts });
    },
    clear() {
      waiting = [];
    },
  };
}

function withApproval({ pending, settled, about }: LiveState, approval: ShownApproval): Partial<LiveState> {
  const others = pending.filter(({ id }) => id !== approval.id);
  if (approval.state !== 'pending')
    return { pending: others, settled: [approval, ...settled].slice(0, KEPT_SETTLED) };
  const label = about.agents.find(({ id }) => id === approval.source)?.label ?? approval.source;
  return { pending: [...others, approval], note: `${label} needs approval: ${titleOf(approval)}` };
}

function loadedFrom(overview: Overview): Partial<LiveState> {
  const { version, agents, problems, startedAt, recent, events, ...others } = overview;
  return { about: { version, agents, problems, startedAt }, total: events, events: recent, ...others };
}

/** Opens the feed, loads what happened before, and reconnects when the feed ends. */
function followFeed({ set }: Store, incoming: Incoming): { close(): void } {
  let close = (): void => {};

  /** Opens the feed first, so that nothing is missed while the rest loads. */
  function start(): void {
    if (readKey() === '') {
      set({ phase: 'out' });
      return;
    }
    let early: unknown[] | null = [];
    const takeEarly = () => {
      const missed = early ?? [];
      early = null;
      for (const message of missed) incoming.take(message);
    };
    const closeFeed = openFeed(
      () =>
        void load().then(takeEarly, (error: unknown) => {
          closeFeed();
          lost(error);
        }),
      (message) => (early ? early.push(message) : incoming.take(message)),
      // A rejected socket gives no reason; a request does.
      () => void (early ? load().then(lost, lost) : lost()),
    );
    close = closeFeed;
  }

  async function load(): Promise<void> {
    const overview = await get('/api/overview', isOverview);
    incoming.clear();
    set({ phase: 'in', connected: true, ...loadedFrom(overview) });
  }

  function lost(error?: unknown): void {
    if (error instanceof ApiError && error.status === 401) {
      set({ ...NOTHING, phase: 'out' });
      return;
    }
    set({ connected: false, pending: [] });
    window.setTimeout(start, RETRY_MS);
  }

  start();
  return { close: () => close() };
}

/** False if the answer didn't reach the daemon. */
async function sendAnswer({ set }: Store, { id }: Approval, answer: Reply): Promise<boolean> {
  try {
    const { ok, approval } = await post(`/api/approvals/${encodeURIComponent(id)}`, answer, isAnswered);
    set({
      note: ok
        ? `${titleOf(approval)}: ${approval.state}.`
        : `Already answered: ${approval.state} by ${approval.settledBy}.`,
    });
    return true;
  } catch (error) {
    set({ note: messageOf(error) });
    return false;
  }
}

const isOverview = has<Overview>(
  'version',
  'agents',
  'pending',
  'sessions',
  'recent',
  'unlockedUntil',
  'away',
  'alerts',
  'device',
  'fleet',
);
const isSessions = has<{ sessions: readonly SessionBrief[] }>('sessions');
const isBriefMessage = has<{ brief: EventBrief }>('brief');
const isUnlockMessage = has<{ unlockedUntil: string | null }>('unlockedUntil');
const isAwayMessage = has<Pick<Overview, 'away'>>('away');
const isAlertMessage = has<Pick<Overview, 'alerts'>>('alerts');
const isApprovalMessage = has<{ approval: ShownApproval }>('approval');
const isAnswered = has<{ ok: boolean; approval: ShownApproval }>('ok', 'approval');

/** The title of a card. */
export function titleOf(approval: Approval): string {
  return approvalTitle(approval, LONGEST_TITLE);
}

function withEvents(
  sessions: readonly SessionBrief[],
  fresh: readonly EventBrief[],
): readonly SessionBrief[] {
  const known = new Map(sessions.map((session) => [sessionKey(session), session]));
  for (const event of fresh) {
    if (event.source === OWN_SOURCE) continue;
    const key = sessionKey(event);
    const before = known.get(key);
    const prompt = event.type === 'before_agent' && event.agentId === null ? event.subject : null;
    known.delete(key);
    known.set(key, {
      source: event.source,
      sessionId: event.sessionId,
      cwd: before?.cwd ?? null,
      projectId: before?.projectId ?? null,
      branch: before?.branch ?? null,
      startedAt: before?.startedAt ?? event.timestamp,
      intent: before?.intent ?? prompt,
      sequence: (before?.sequence ?? 0) + 1,
      promptNumber: Math.max(before?.promptNumber ?? 0, event.promptNumber),
      toolNumber: Math.max(before?.toolNumber ?? 0, event.toolNumber),
      lastAt: event.timestamp,
      endedAt: event.type === 'session_end' ? event.timestamp : null,
    });
  }
  return [...known.values()].sort((a, b) => b.lastAt - a.lastAt);
}
