import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EventView } from '../../../src/daemon/web/shapes.ts';
import type { Call } from '../../../src/history/calls/calls.ts';
import { timeTaken } from '../../../src/model/text.ts';
import { has } from '../api.ts';
import { clock } from '../format.ts';
import { useAsked } from '../hooks.ts';
import type { Request } from '../requests.ts';
import { Card } from './approvals/card.tsx';
import { Changes } from './approvals/diff.tsx';
import { Await, Code, readable } from './bits.tsx';
import { Command } from './command.tsx';
import { Icon } from './icons.tsx';
import { Why } from './why.tsx';

export const isEvent = has<EventView>('id', 'type', 'opinions', 'call', 'story');

const TABS = ['Decision', 'Diff', 'Input', 'Output', 'Raw'] as const;
type Tab = (typeof TABS)[number];

interface PanelProps {
  readonly call: Call;
  /** The pending approval of the call, if there is one. */
  readonly request: Request | null;
  readonly next: Call | null;
  readonly onStep: (by: 1 | -1) => void;
  readonly onPick: (call: Call) => void;
  readonly onClose: () => void;
}

/** The details of one call. */
export function Panel({ call, request, next, onStep, onPick, onClose }: PanelProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <aside class="panel" aria-labelledby="panel-title">
      <header>
        <div class="grow">
          <h2 id="panel-title" ref={heading} tabIndex={-1}>
            {call.tool} at {clock(call.start)}
          </h2>
          <p class="quiet sm">{call.words}</p>
        </div>
        <button type="button" class="icon-button" aria-label="Previous call" onClick={() => onStep(-1)}>
          <Icon name="up" />
        </button>
        <button type="button" class="icon-button" aria-label="Next call" onClick={() => onStep(1)}>
          <Icon name="down" />
        </button>
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </header>
      {request ? <Card request={request} inSession /> : <CallBody call={call} next={next} onPick={onPick} />}
    </aside>
  );
}

/** The stored events of a call. A pending call is stored once it is answered. */
function CallBody({ call, next, onPick }: Pick<PanelProps, 'call' | 'next' | 'onPick'>): JSX.Element {
  const stored = call.events.filter(({ waits }) => !waits);
  const path = (id: string | undefined) =>
    id === undefined ? null : `/api/events/${encodeURIComponent(id)}`;
  const decisive = stored.find(({ id }) => id === call.id) ?? stored[0];
  const why = useAsked(path(decisive?.id), isEvent);
  const result = useAsked(path(stored.at(-1)?.id), isEvent, call.words);
  if (!decisive) return <p class="quiet">Saving the answer…</p>;
  return (
    <Await loaded={why}>
      {(decided) => (
        <Await loaded={result}>
          {(ended) => (
            <CallTabs decided={decided} ended={ended}>
              <Next next={next} onPick={onPick} />
              <Timing call={call} event={decided} />
            </CallTabs>
          )}
        </Await>
      )}
    </Await>
  );
}

interface TabsProps {
  /** The event with the decision, and the last event of the call. */
  readonly decided: EventView;
  readonly ended: EventView;
  readonly children?: ComponentChildren;
}

/** Decision, diff, input, output and raw events of a call, as tabs. */
export function CallTabs({ decided, ended, children }: TabsProps): JSX.Element {
  const changes = ended.call?.changes ?? decided.call?.changes ?? [];
  const [wanted, setWanted] = useState<Tab>('Decision');
  const command = decided.call?.command ?? ended.call?.command ?? null;
  const shown = TABS.filter((tab) => tab !== 'Diff' || changes.length > 0).filter(
    (tab) => (tab !== 'Input' && tab !== 'Output') || decided.tool !== null,
  );
  const tab = shown.includes(wanted) ? wanted : 'Decision';
  return (
    <>
      {command !== null && <Command text={command} />}
      <div class="tabs" role="tablist" aria-label="Call details">
        {shown.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`tab-${one}`}
            aria-selected={tab === one}
            aria-controls="tab-pane"
            onClick={() => setWanted(one)}
          >
            {one}
          </button>
        ))}
      </div>
      <div class="pane" role="tabpanel" id="tab-pane" aria-labelledby={`tab-${tab}`}>
        {tab === 'Decision' && (
          <>
            <Why event={decided} />
            {changes.length > 0 && <Changes changes={changes} />}
            {children}
          </>
        )}
        {tab === 'Diff' && <Changes changes={changes} />}
        {tab === 'Input' && <Code label="Input">{readable(decided.tool?.input)}</Code>}
        {tab === 'Output' && <Output event={ended} />}
        {tab === 'Raw' && <Raw decided={decided} ended={ended} />}
      </div>
    </>
  );
}

function Output({ event }: { event: EventView }): JSX.Element {
  const result = event.call?.result ?? null;
  if (!result) return <p class="quiet">No result reported yet.</p>;
  const { outcome, error, output, durationMs } = result;
  return (
    <>
      <p class="quiet sm">
        {outcome}
        {durationMs !== null && `, ${timeTaken(durationMs)}`}
      </p>
      {error && <p class="trouble">{error}</p>}
      {output ? <Code label="Output">{output}</Code> : !error && <p class="quiet">No output.</p>}
    </>
  );
}

function Raw({ decided, ended }: Pick<TabsProps, 'decided' | 'ended'>): JSX.Element {
  const events = decided.id === ended.id ? [decided] : [decided, ended];
  return (
    <>
      {events.map(({ id, type, event, native }) => (
        <section key={id} class="pane">
          <h3>
            {type} <span class="quiet">{id}</span>
          </h3>
          <Code label={`${type} as Hookline reads it`}>{readable(event)}</Code>
          <Code label={`${type} as the agent sent it`}>{readable(native)}</Code>
        </section>
      ))}
    </>
  );
}

function Next({ next, onPick }: { next: Call | null; onPick: (call: Call) => void }): JSX.Element | null {
  if (!next) return null;
  return (
    <section>
      <h3 class="label">Next call</h3>
      <p>
        <button type="button" class="link-button" onClick={() => onPick(next)}>
          {next.tool} <code>{next.subject}</code>
        </button>{' '}
        <span class="quiet">{next.words}</span>
      </p>
    </section>
  );
}

function Timing({ call, event }: { call: Call; event: EventView }): JSX.Element {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (details.current) details.current.open = false;
  }, [call.key]);
  return (
    <details ref={details} class="timing">
      <summary>IDs and timing</summary>
      <dl>
        <div>
          <dt>Event</dt>
          <dd>
            <code>{event.id}</code>
          </dd>
        </div>
        <div>
          <dt>Session</dt>
          <dd>
            <code>{event.sessionId}</code>
          </dd>
        </div>
        <div>
          <dt>Directory</dt>
          <dd>
            <code>{event.cwd ?? '–'}</code>
          </dd>
        </div>
        {call.waitedMs > 0 && (
          <div>
            <dt>Pending for</dt>
            <dd>{timeTaken(call.waitedMs)}</dd>
          </div>
        )}
        <div>
          <dt>Hook latency</dt>
          <dd>{timeTaken(call.costMs)}</dd>
        </div>
      </dl>
    </details>
  );
}
