import type { Answer, Approval } from '../../src/approvals/approval.ts';
import type { Overview, SessionBrief } from '../../src/daemon/web-shapes.ts';
import type { EventBrief } from '../../src/view/event-brief.ts';
import { get, has, openFeed, post, Refused } from './api.ts';
import { dropKey, readKey } from './pass.ts';

export interface LiveState {
  /** `out` without a pass. */
  readonly phase: 'loading' | 'out' | 'in';
  readonly connected: boolean;
  readonly about: Pick<Overview, 'version' | 'user' | 'agents' | 'problems' | 'startedAt'>;
  /** How many there are in the store. */
  readonly total: number;
  /** Oldest first. */
  readonly events: readonly EventBrief[];
  readonly pending: readonly Approval[];
  /** Newest first, as far as this page saw them end. */
  readonly settled: readonly Approval[];
  /** The most recently active first. */
  readonly sessions: readonly SessionBrief[];
  /** Said aloud by screen readers. */
  readonly note: string;
}

const NOTHING: LiveState = {
  phase: 'loading',
  connected: false,
  about: { version: '', user: 'somebody', agents: [], problems: [], startedAt: '' },
  total: 0,
  events: [],
  pending: [],
  settled: [],
  sessions: [],
  note: '',
};

/** The eye takes in no more, and a page that is drawn for every one of 200 events a second stutters. */
const REFRESH_MS = 150;
const RETRY_MS = 1_000;
const KEPT_EVENTS = 3_000;
const KEPT_SETTLED = 30;

export interface Live {
  state(): LiveState;
  subscribe(listener: () => void): () => void;
  answer(approval: Approval, answer: Answer): Promise<boolean>;
  leave(): Promise<void>;
}

export const sessionKey = (one: { source: string; sessionId: string }): string =>
  `${one.source}/${one.sessionId}`;

export function openLive(): Live {
  const listeners = new Set<() => void>();
  let current = NOTHING;
  let waiting: EventBrief[] = [];
  let timer: number | null = null;
  let closeFeed = (): void => {};

  function set(change: Partial<LiveState>): void {
    current = { ...current, ...change };
    for (const listener of listeners) listener();
  }

  function flush(): void {
    timer = null;
    const last = current.events.at(-1)?.row ?? 0;
    const fresh = waiting.filter(({ row }) => row > last);
    waiting = [];
    if (fresh.length === 0) return;
    set({
      events: [...current.events, ...fresh].slice(-KEPT_EVENTS),
      sessions: withEvents(current.sessions, fresh),
      total: current.total + fresh.length,
    });
  }

  function onMessage(message: unknown): void {
    if (isBriefMessage(message)) {
      waiting.push(message.brief);
      if (timer === null) timer = window.setTimeout(flush, REFRESH_MS);
    } else if (isApprovalMessage(message)) onApproval(message.approval);
  }

  function onApproval(approval: Approval): void {
    const others = current.pending.filter(({ id }) => id !== approval.id);
    if (approval.state === 'pending') {
      set({ pending: [...others, approval], note: `${labelOf(approval.source)} asks: ${titleOf(approval)}` });
      return;
    }
    set({ pending: others, settled: [approval, ...current.settled].slice(0, KEPT_SETTLED) });
  }

  const labelOf = (source: string) => current.about.agents.find(({ id }) => id === source)?.label ?? source;

  /** The feed first: what happens while the rest is asked for would be missed otherwise. */
  function start(): void {
    if (readKey() === '') {
      set({ phase: 'out' });
      return;
    }
    let early: unknown[] | null = [];
    const close = openFeed(
      () => {
        load().then(
          () => {
            const missed = early ?? [];
            early = null;
            for (const message of missed) onMessage(message);
          },
          (error: unknown) => {
            close();
            lost(error);
          },
        );
      },
      (message) => (early ? early.push(message) : onMessage(message)),
      // A socket that is refused does not say why; a request does.
      () => void (early ? load().then(lost, lost) : lost()),
    );
    closeFeed = close;
  }

  async function load(): Promise<void> {
    const overview = await get('/api/overview', isOverview);
    const { version, user, agents, problems, startedAt, pending, sessions, recent, events } = overview;
    const about = { version, user, agents, problems, startedAt };
    waiting = [];
    set({ phase: 'in', connected: true, about, total: events, events: recent, pending, sessions });
  }

  function lost(error?: unknown): void {
    if (error instanceof Refused && error.status === 401) {
      set({ ...NOTHING, phase: 'out' });
      return;
    }
    set({ connected: false, pending: [] });
    window.setTimeout(start, RETRY_MS);
  }

  start();
  return {
    state: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async answer(approval, answer) {
      try {
        const by = `${current.about.user} (dashboard)`;
        const { ok, approval: now } = await post(
          `/api/approvals/${encodeURIComponent(approval.id)}`,
          { ...answer, by },
          isAnswered,
        );
        set({
          note: ok
            ? `${titleOf(now)}: ${now.state}.`
            : `Somebody was faster: ${now.state} by ${now.settledBy}.`,
        });
        return true;
      } catch (error) {
        set({ note: error instanceof Error ? error.message : String(error) });
        return false;
      }
    },
    async leave() {
      closeFeed();
      await post('/api/logout', {}, has<{ left: boolean }>('left')).catch(() => null);
      dropKey();
      set({ ...NOTHING, phase: 'out' });
    },
  };
}

const isOverview = has<Overview>('version', 'agents', 'pending', 'sessions', 'recent');
const isBriefMessage = has<{ brief: EventBrief }>('brief');
const isApprovalMessage = has<{ approval: Approval }>('approval');
const isAnswered = has<{ ok: boolean; approval: Approval }>('ok', 'approval');

/** What a card is about, in few words. */
export function titleOf({ tool, kind, questions, question }: Approval): string {
  if (kind === 'question') return questions[0]?.text ?? 'a question';
  if (kind === 'plan') return 'a plan';
  return [tool?.name, tool?.command ?? tool?.files[0]?.path ?? question].filter(Boolean).join(' ');
}

function withEvents(
  sessions: readonly SessionBrief[],
  fresh: readonly EventBrief[],
): readonly SessionBrief[] {
  const known = new Map(sessions.map((session) => [sessionKey(session), session]));
  for (const event of fresh) {
    const key = sessionKey(event);
    const before = known.get(key);
    const prompt = event.type === 'before_agent' && event.agentId === null ? event.subject : null;
    known.delete(key);
    known.set(key, {
      source: event.source,
      sessionId: event.sessionId,
      cwd: before?.cwd ?? null,
      projectId: before?.projectId ?? null,
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
