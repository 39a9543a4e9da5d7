import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { SessionBrief, SessionView as Shape } from '../../../src/daemon/web/shapes.ts';
import type { Call } from '../../../src/history/calls/calls.ts';
import { currentActivity } from '../../../src/history/sessions/activity.ts';
import { has } from '../api.ts';
import { counted, lasting, shortClock } from '../format.ts';
import { useAsked, useLive, useNow } from '../hooks.ts';
import { placeOf, sessionKey } from '../live.ts';
import { Card } from '../parts/approvals/card.tsx';
import { AgentBadge, Await, Filter, Key, useAgentLabel, Where } from '../parts/bits.tsx';
import { OverviewStrip } from '../parts/overview-strip.tsx';
import { Panel } from '../parts/panel.tsx';
import { STATES } from '../parts/session-days.tsx';
import { elapsed, TurnLines } from '../parts/trace-lines.tsx';
import { type Request, requestsOf, waitingWords } from '../requests.ts';
import { type Trace, traceOf } from '../trace.ts';

const LOOK_MS = 10_000;
const isView = has<Shape>('session', 'events', 'summary');

const FILTERS = {
  all: ['All', () => true],
  denied: ['Denied', ({ outcome }: Call) => outcome === 'denied'],
  failed: ['Failed', ({ outcome }: Call) => outcome === 'failed'],
  asked: ['Approvals', ({ waitedMs, outcome }: Call) => waitedMs > 0 || outcome === 'waiting'],
  changes: ['Changes', ({ tool }: Call) => /^(?:Edit|Write|MultiEdit|NotebookEdit|ApplyPatch)$/.test(tool)],
} as const;
type FilterName = keyof typeof FILTERS;
const FILTER_NAMES: readonly FilterName[] = ['all', 'denied', 'failed', 'asked', 'changes'];

/** One session as a trace: turns, calls on one axis, and a panel for the selected call. */
export function SessionView({
  source,
  id,
  wanted,
}: {
  source: string;
  id: string;
  wanted: string | null;
}): JSX.Element {
  const { state } = useLive();
  const newest =
    state.events.findLast((event) => event.source === source && event.sessionId === id)?.row ?? 0;
  const path = `/api/sessions/${encodeURIComponent(source)}/${encodeURIComponent(id)}`;
  const loaded = useAsked(path, isView, newest);
  return <Await loaded={loaded}>{(view) => <Session view={view} wanted={wanted} />}</Await>;
}

function Session({ view, wanted }: { view: Shape; wanted: string | null }): JSX.Element {
  const { state } = useLive();
  const now = useNow(LOOK_MS);
  const [picked, setPicked] = useState<string | null>(wanted);
  const [filter, setFilter] = useState<FilterName>('all');
  const { session, events } = view;
  const trace = useMemo(() => traceOf(events, Math.max(now, Date.now())), [events, now]);
  const requests = requestsOf(state.pending.filter((one) => sessionKey(one) === sessionKey(session)));
  const { calls } = trace;
  const call = calls.find(({ key }) => key === picked) ?? null;
  const isOf = (request: Request) => call?.events.some(({ id }) => id === request.first.eventId) ?? false;
  // The approval of the selected call is in the panel.
  const above = requests.filter((request) => !isOf(request));
  useEffect(() => {
    if (picked) document.querySelector('[data-call][aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [picked]);
  const pick = (one: Call | undefined) => {
    if (one) setPicked(one.key);
  };
  return (
    <div class={`trace ${call ? 'with-panel' : ''}`} data-session={session.sessionId}>
      <div class="trace-main">
        <Heading view={view} trace={trace} now={now} />
        <div class="trace-pad">
          <OverviewStrip trace={trace} picked={call} onPick={pick} />
        </div>
        <TraceBar calls={calls} picked={call} filter={filter} onFilter={setFilter} onPick={pick} />
        <TraceBody view={view} trace={trace} requests={above} picked={picked} filter={filter} onPick={pick} />
      </div>
      {call && (
        <PanelPlace
          call={call}
          calls={calls}
          request={requests.find(isOf) ?? null}
          onPick={pick}
          onClose={() => setPicked(null)}
        />
      )}
    </div>
  );
}

interface BodyProps {
  readonly view: Shape;
  readonly trace: Trace;
  readonly requests: readonly Request[];
  readonly picked: string | null;
  readonly filter: FilterName;
  readonly onPick: (call: Call) => void;
}

/** Pending approvals and the turns. */
function TraceBody({ view, trace, requests, picked, filter, onPick }: BodyProps): JSX.Element {
  const { session, events, cut } = view;
  return (
    <>
      {cut && <p class="quiet none">Only the newest {counted(events.length, 'event')} are shown.</p>}
      {requests.map((request) => (
        <div key={request.key} class="box trace-card">
          <Card request={request} inSession />
        </div>
      ))}
      <Columns trace={trace} />
      {trace.turns.map((turn) => (
        <TurnLines
          key={turn.number}
          turn={turn}
          axis={trace.axis}
          folder={session.cwd}
          picked={picked}
          isShown={FILTERS[filter][1]}
          onPick={onPick}
        />
      ))}
      {trace.calls.length === 0 && requests.length === 0 && (
        <p class="quiet none">No calls yet. They appear here as they happen.</p>
      )}
    </>
  );
}

interface BarProps {
  readonly calls: readonly Call[];
  readonly picked: Call | null;
  readonly filter: FilterName;
  readonly onFilter: (filter: FilterName) => void;
  readonly onPick: (call: Call) => void;
}

function TraceBar({ calls, picked, filter, onFilter, onPick }: BarProps): JSX.Element {
  const denials = calls.filter(FILTERS.denied[1]);
  const nextDenial = denials.find(({ start }) => start > (picked?.start ?? 0)) ?? denials[0];
  return (
    <div class="trace-bar">
      {FILTER_NAMES.map((name) => (
        <Filter
          key={name}
          on={filter === name}
          count={calls.filter(FILTERS[name][1]).length}
          onToggle={() => onFilter(name)}
        >
          {FILTERS[name][0]}
        </Filter>
      ))}
      {nextDenial && (
        <button type="button" class="button right" data-next-denial onClick={() => onPick(nextDenial)}>
          Next denial <Key>N</Key>
        </button>
      )}
    </div>
  );
}

interface PlaceProps {
  readonly call: Call;
  readonly calls: readonly Call[];
  readonly request: Request | null;
  readonly onPick: (call: Call | undefined) => void;
  readonly onClose: () => void;
}

/** Next to the trace; over it on a narrow screen. */
function PanelPlace({ call, calls, request, onPick, onClose }: PlaceProps): JSX.Element {
  const at = calls.indexOf(call);
  return (
    <div class="panel-place">
      <button type="button" class="shade" aria-label="Close the panel" onClick={onClose} />
      <Panel
        key={call.key}
        call={call}
        request={request}
        next={calls.slice(at + 1).find(({ agentId }) => agentId === call.agentId) ?? null}
        onStep={(by) => onPick(calls[at + by])}
        onPick={onPick}
        onClose={onClose}
      />
    </div>
  );
}

const STEPS = [0, 20, 40, 60, 80];

function Columns({ trace }: { trace: Trace }): JSX.Element {
  return (
    <div class="call columns" aria-hidden="true">
      <span>Time</span>
      <span>Tool</span>
      <span>Call</span>
      <span />
      <span class="took">Took</span>
      <svg class="track" aria-hidden="true">
        {STEPS.map((x) => (
          <text key={x} x={`${x}%`} y="16">
            {elapsed((x / 100) * trace.axis.totalMs)}
          </text>
        ))}
      </svg>
    </div>
  );
}

function Heading({ view, trace, now }: { view: Shape; trace: Trace; now: number }): JSX.Element {
  const { session, events, summary } = view;
  const { pending } = useLive().state;
  const waiting = pending.filter((one) => sessionKey(one) === sessionKey(session));
  const label = useAgentLabel(session.source);
  const doing = currentActivity(session, events, waiting.length, now);
  const [look, word] = STATES[doing.activity];
  return (
    <header class="trace-head">
      <p class="crumb">
        <a class="link" href="#/sessions">
          Sessions
        </a>
        <span class="quiet">/</span>
        <AgentBadge source={session.source} />
        <span class="agent-name">{label}</span>
        <Where place={placeOf(session)} />
        <span class={`chip ${look}`}>{word}</span>
        <span class="quiet sm cut doing-words">{waitingWords(waiting) || doing.words}</span>
      </p>
      <h1>{session.intent ?? `Session ${session.sessionId.slice(0, 8)}`}</h1>
      <Facts session={session} summary={summary} trace={trace} />
    </header>
  );
}

function Facts({
  session,
  summary,
  trace,
}: {
  session: SessionBrief;
  summary: Shape['summary'];
  trace: Trace;
}): JSX.Element {
  const { filesChanged, lines, tests, tokens, costUsd } = summary;
  const denied = trace.calls.filter(({ outcome }) => outcome === 'denied').length;
  return (
    <p class="facts">
      <span>
        Started <b>{shortClock(session.startedAt)}</b>
      </span>
      <span>
        Took <b>{lasting(trace.axis.totalMs + trace.axis.idleMs)}</b>
        {trace.axis.idleMs > 0 && `, ${lasting(trace.axis.idleMs)} idle`}
      </span>
      <span>
        <b>{trace.calls.length}</b> calls
      </span>
      {filesChanged > 0 && (
        <span>
          <b>{filesChanged}</b> files {lines && <span class="plus">+{lines.added}</span>}{' '}
          {lines && <span class="minus">−{lines.removed}</span>}
        </span>
      )}
      {tests !== null && (
        <span>
          Tests <b class={tests === 'failing' ? 'bad' : tests === 'unknown' ? '' : 'good'}>{tests}</b>
        </span>
      )}
      {denied > 0 && <span class="bad">{denied} denied</span>}
      {tokens !== null && (
        <span>
          <b>{Math.round(tokens / 1_000)}k</b> tokens{costUsd !== null && `, $${costUsd.toFixed(2)}`}
        </span>
      )}
    </p>
  );
}
