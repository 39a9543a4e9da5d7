import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { useState } from 'preact/hooks';
import type { Call } from '../../../src/history/calls/calls.ts';
import { eventWord } from '../../../src/history/calls/event-words.ts';
import { rowOf } from '../../../src/history/calls/row.ts';
import { timeTaken } from '../../../src/model/text.ts';
import { counted, eventLink, lasting } from '../format.ts';
import type { Axis, Line, TraceTurn } from '../trace.ts';
import { Inline } from './approvals/plan.tsx';
import { barsOf } from './bars.ts';
import { AgentBadge, Chip } from './bits.tsx';
import { Icon } from './icons.tsx';
import { Track } from './track.tsx';

interface LinesProps {
  readonly axis: Axis;
  /** The directory of the session; paths are relative to it. */
  readonly folder: string | null;
  readonly picked: string | null;
  readonly isShown: (call: Call) => boolean;
  readonly onPick: (call: Call) => void;
}

/** One turn: the prompt and its calls. */
export function TurnLines({ turn, ...props }: LinesProps & { turn: TraceTurn }): JSX.Element {
  const [idle, ...others] = turn.lines;
  const rest = idle?.kind === 'idle' ? others : turn.lines;
  return (
    <section class="turn">
      {idle?.kind === 'idle' && <p class="idle">{lasting(idle.ms)} idle, cut from the axis</p>}
      {turn.number > 0 && (
        <h2 class="prompt-line">
          <span class="at">{elapsed(props.axis.offset(turn.at))}</span>
          <span>{turn.prompt ?? 'Turn'}</span>
          <span class="sum">
            Turn {turn.number}, {counted(turn.calls, 'call')}
            {turn.tookMs > 0 && `, ${lasting(turn.tookMs)}`}
          </span>
        </h2>
      )}
      <ol>
        {rest.map((line) => (
          <LineOf key={keyOf(line)} line={line} {...props} />
        ))}
      </ol>
    </section>
  );
}

function keyOf(line: Line): string {
  return line.kind === 'call' ? line.call.key : line.kind === 'event' ? line.event.id : line.key;
}

function LineOf({
  line,
  axis,
  folder,
  picked,
  isShown,
  onPick,
}: LinesProps & { line: Line }): JSX.Element | null {
  switch (line.kind) {
    case 'call':
      return isShown(line.call) ? (
        <CallLine
          call={line.call}
          axis={axis}
          folder={folder}
          picked={picked === line.call.key}
          onPick={() => onPick(line.call)}
        />
      ) : null;
    case 'event':
      return <EventLine line={line} axis={axis} />;
    case 'protocol':
      return <ProtocolLine line={line} axis={axis} />;
    case 'idle':
      return null;
  }
}

/** 4:50 since the start of the session, without idle time. */
export function elapsed(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const two = (n: number) => String(n).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

const GRID = [0, 20, 40, 60, 80];
const NOT_RUN = 'not run';

const CallLine = memo(
  function CallLine({
    call,
    axis,
    folder,
    picked,
    onPick,
  }: {
    call: Call;
    axis: Axis;
    folder: string | null;
    picked: boolean;
    onPick: () => void;
  }): JSX.Element {
    const row = rowOf({ kind: 'call', call });
    const quiet = row.outcome === 'done';
    return (
      <li>
        <button
          type="button"
          class={`call ${row.agentId ? 'sub' : ''} ${row.outcome ?? ''}`}
          aria-current={picked ? 'true' : undefined}
          data-item={call.key}
          data-call
          onClick={onPick}
        >
          <span class="at">{elapsed(axis.offset(call.start))}</span>
          <span class="tool">{row.name}</span> <Subject text={row.subject} folder={folder} />
          {quiet ? <span class="unseen">{row.words}</span> : <Chip outcome={row.outcome}>{row.words}</Chip>}
          <span class="took">
            {row.durationMs !== null ? timeTaken(row.durationMs) : row.outcome === 'denied' ? NOT_RUN : ''}
          </span>
          <Track bars={barsOf([{ kind: 'call', call }], axis.x, call.end ?? call.start)} grid={GRID} />
        </button>
      </li>
    );
  },
  (a, b) =>
    a.call.key === b.call.key && a.call.words === b.call.words && a.picked === b.picked && a.axis === b.axis,
);

/** Hides the session's directory visually, because it is the same on every line. */
function Subject({ text, folder }: { text: string; folder: string | null }): JSX.Element {
  const prefix = folder !== null && folder !== '/' && text.startsWith(`${folder}/`) ? `${folder}/` : '';
  return (
    <code class="subject cut" title={text}>
      {prefix && <span class="folder">{prefix}</span>}
      {text.slice(prefix.length)}
    </code>
  );
}

const MESSAGES: ReadonlySet<string> = new Set(['stop', 'after_agent', 'subagent_stop']);

/** A message of the agent, or any other event as one line. */
function EventLine({
  line: { event, at },
  axis,
}: {
  line: Extract<Line, { kind: 'event' }>;
  axis: Axis;
}): JSX.Element {
  const row = rowOf({ kind: 'event', event });
  const isMessage = MESSAGES.has(event.type) && event.subject !== '';
  return (
    <li class={isMessage ? 'said' : 'happened'}>
      <span class="at">{elapsed(axis.offset(at))}</span>
      {isMessage && <AgentBadge source={event.source} />}
      <p>
        {!isMessage && <span class="quiet">{row.name} </span>}
        <Inline text={event.subject} /> {row.words && <Chip outcome={row.outcome}>{row.words}</Chip>}{' '}
        <a class="link sm" href={eventLink(event.id)}>
          {isMessage ? 'show all' : 'event'}
        </a>
      </p>
    </li>
  );
}

function ProtocolLine({
  line: { events, at },
  axis,
}: {
  line: Extract<Line, { kind: 'protocol' }>;
  axis: Axis;
}): JSX.Element {
  const [open, setOpen] = useState(false);
  const words = [...new Set(events.map(eventWord))].join(', ');
  return (
    <li>
      <button type="button" class="protocol" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="at">{elapsed(axis.offset(at))}</span>
        <span class="line">
          <Icon name={open ? 'down' : 'right'} />
          <span class="cut">
            {counted(events.length, 'protocol event')}: {words}
          </span>
        </span>
      </button>
      {open && (
        <ul class="protocol-events">
          {events.map((event) => (
            <li key={event.id}>
              <a class="link" href={eventLink(event.id)}>
                {eventWord(event)} {event.subject}
              </a>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
