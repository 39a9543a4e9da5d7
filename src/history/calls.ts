import type { EventBrief } from './event-brief.ts';

/** What became of something. Colour stands for this and for nothing else. */
export type State = 'plain' | 'waiting' | 'allowed' | 'denied' | 'failed' | 'running';

/** All events of one tool call. */
export interface Call {
  readonly key: string;
  readonly source: string;
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly tool: string;
  readonly subject: string;
  readonly start: number;
  /** Null until its end is recorded. */
  readonly end: number | null;
  readonly state: State;
  readonly events: readonly EventBrief[];
}

export type Item =
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'event'; readonly event: EventBrief };

const CALL_TYPES: ReadonlySet<string> = new Set([
  'before_tool',
  'permission_request',
  'permission_denied',
  'after_tool',
]);

function callKey({ source, sessionId, agentId, toolNumber }: EventBrief): string {
  return `${source}/${sessionId}/${agentId ?? ''}/${toolNumber}`;
}

/** Events in their order, those of one call taken together at the place of the first. */
export function itemsOf(events: readonly EventBrief[]): readonly Item[] {
  const calls = new Map<string, EventBrief[]>();
  const order: (string | EventBrief)[] = [];
  for (const event of events) {
    if (!CALL_TYPES.has(event.type) || event.tool === null) {
      order.push(event);
      continue;
    }
    const key = callKey(event);
    const known = calls.get(key);
    if (known) known.push(event);
    else {
      calls.set(key, [event]);
      order.push(key);
    }
  }
  return order.flatMap((one): Item[] => {
    if (typeof one !== 'string') return [{ kind: 'event', event: one }];
    const call = callOf(one, calls.get(one) ?? []);
    return call ? [{ kind: 'call', call }] : [];
  });
}

function callOf(key: string, events: readonly EventBrief[]): Call | null {
  const [first] = events;
  if (!first) return null;
  const last = events.at(-1) ?? first;
  const over = last.type === 'after_tool' || last.type === 'permission_denied' || last.decision === 'deny';
  return {
    key,
    source: first.source,
    sessionId: first.sessionId,
    agentId: first.agentId,
    tool: first.tool ?? '',
    subject: first.subject,
    start: first.timestamp,
    end: over ? last.timestamp : null,
    state: stateOfCall(events),
    events,
  };
}

function stateOfCall(events: readonly EventBrief[]): State {
  const states = events.map(stateOf);
  for (const state of ['denied', 'failed', 'allowed'] as const) if (states.includes(state)) return state;
  return events.some(({ type }) => type === 'after_tool') ? 'plain' : 'running';
}

export function stateOf(event: EventBrief): State {
  if (event.decision === 'deny' || event.type === 'permission_denied' || event.outcome === 'denied')
    return 'denied';
  if (event.outcome === 'failed' || event.outcome === 'interrupted' || event.type === 'stop_failure')
    return 'failed';
  if (event.decision === 'allow') return 'allowed';
  return event.decision === 'ask' ? 'waiting' : 'plain';
}

/** What a state is called where colour does not do. */
export const STATE_WORDS: Readonly<Record<State, string>> = {
  plain: '',
  waiting: 'asked',
  allowed: 'allowed',
  denied: 'denied',
  failed: 'failed',
  running: 'running',
};

/** Events that belong to one prompt, and what came before the first. */
export interface Turn {
  readonly number: number;
  readonly prompt: string | null;
  readonly at: number;
  readonly items: readonly Item[];
}

export function turnsOf(events: readonly EventBrief[]): readonly Turn[] {
  const groups = new Map<number, EventBrief[]>();
  for (const event of events) {
    const group = groups.get(event.promptNumber);
    if (group) group.push(event);
    else groups.set(event.promptNumber, [event]);
  }
  return [...groups].map(([number, group]) => {
    const prompt = group.find(({ type, agentId }) => type === 'before_agent' && agentId === null);
    return {
      number,
      prompt: prompt?.subject ?? null,
      at: group[0]?.timestamp ?? 0,
      items: itemsOf(group.filter((event) => event !== prompt)),
    };
  });
}
