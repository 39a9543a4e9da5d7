import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { itemsOf } from '../../../src/history/calls/calls.ts';
import type { EventBrief } from '../../../src/history/calls/event-brief.ts';
import { type Row, rowOf } from '../../../src/history/calls/row.ts';
import { counted } from '../format.ts';
import { useLive, useNow } from '../hooks.ts';
import { Queue } from '../parts/approvals/queue.tsx';
import { Copy } from '../parts/bits.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import { Lanes } from '../parts/lanes.tsx';
import { RowList } from '../parts/row-list.tsx';
import { requestsOf } from '../requests.ts';

/** Pending approvals, one of them open; below them active sessions, and denied or failed calls. */
export function NowView(): JSX.Element {
  const { state } = useLive();
  const requests = useMemo(() => requestsOf(state.pending), [state.pending]);
  const [wanted, setWanted] = useState<string | null>(null);
  const shown = useRef<string | null>(null);
  // New approvals join the queue; the open one stays open.
  const isThere = (key: string | null) => requests.some((one) => one.key === key);
  const open = [wanted, shown.current].find(isThere) ?? requests[0]?.key ?? null;
  useEffect(() => {
    shown.current = open;
  }, [open]);
  return (
    <>
      {requests.length === 0 ? (
        <NothingPending />
      ) : (
        <>
          <div class="head">
            <h1>{counted(requests.length, 'pending approval')}</h1>
            {requests.length > 1 && <span class="quiet">soonest to expire first</span>}
            <span class="right quiet sm hints">
              <kbd>J</kbd> <kbd>K</kbd> next, previous &nbsp; <kbd>?</kbd> all keys
            </span>
          </div>
          <Queue requests={requests} open={open} onOpen={setWanted} />
        </>
      )}
      <Lanes />
      <Decided events={state.events} total={state.total} />
    </>
  );
}

const COMING: readonly (readonly [icon: IconName, title: string, text: string])[] = [
  ['terminal', 'A rule needs approval', 'See the command or diff and the reason.'],
  ['ask', 'An agent has a question or a plan', 'Choose an answer or write your own.'],
  ['rules', 'An agent asks for permission', 'Allow once, or for a session, branch or project.'],
];

function NothingPending(): JSX.Element {
  const { settled } = useLive().state;
  return (
    <section class="box nothing">
      <div>
        <h1>No pending approvals</h1>
        <p>
          While this page is open, approvals arrive here. When it's closed, agents ask in their own terminals.
        </p>
        <p class="line">
          <Copy command="hookline demo" /> <span class="quiet sm">shows 3 agents at work</span>
        </p>
        {settled.length > 0 && <p class="quiet sm">Just answered: {counted(settled.length, 'approval')}.</p>}
      </div>
      <ul class="teach">
        {COMING.map(([icon, title, text]) => (
          <li key={title}>
            <span class="square">
              <Icon name={icon} />
            </span>
            <span>
              <b>{title}</b>
              <span>{text}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const SHOWN = 8;
/** A call that never ends becomes unknown after hours: seconds do not matter. */
const LOOK_MS = 2_000;

/** Denied and failed calls, newest first. */
function Decided({ events, total }: { events: readonly EventBrief[]; total: number }): JSX.Element {
  const now = useNow(LOOK_MS);
  const rows = useMemo(() => decidedRows(events, now), [now, events.length > 0]);
  return (
    <section class="section" aria-labelledby="decided-title">
      <div class="head">
        <h2 id="decided-title">Denied or failed</h2>
        <span class="quiet sm">
          {rows.length === 0 ? 'none' : counted(rows.length, 'call')}, of{' '}
          <span data-total>{total.toLocaleString('en')}</span> events
        </span>
        <a class="link right sm" href="#/search">
          Search all
        </a>
      </div>
      {rows.length > 0 && <RowList rows={rows.slice(0, SHOWN)} />}
    </section>
  );
}

function decidedRows(events: readonly EventBrief[], now: number): readonly Row[] {
  return itemsOf(events, now)
    .map(rowOf)
    .filter(
      ({ outcome, words }) => outcome === 'denied' || outcome === 'failed' || words.startsWith('changed'),
    )
    .reverse();
}
