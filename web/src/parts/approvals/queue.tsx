import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ShownApproval } from '../../../../src/approvals/approval.ts';
import { countdown, counted, eventLink, shortClock } from '../../format.ts';
import { useLive, useNow } from '../../hooks.ts';
import { type Request, wantOf } from '../../requests.ts';
import { AgentBadge, Chip, Where } from '../bits.tsx';
import { Card } from './card.tsx';

const SOON_MS = 60_000;
const SHOWN_SETTLED = 3;

interface QueueProps {
  readonly requests: readonly Request[];
  readonly open: string | null;
  readonly onOpen: (key: string) => void;
}

/** The pending approvals and the open one. On a phone it opens inside the list. */
export function Queue({ requests, open, onOpen }: QueueProps): JSX.Element {
  const box = useRef<HTMLOListElement>(null);
  const count = useRef(requests.length);
  // An answered card takes its focus along: focus the next one, or keyboard users would start over.
  useEffect(() => {
    const fewer = requests.length < count.current;
    count.current = requests.length;
    if (fewer && document.activeElement === document.body)
      box.current?.querySelector<HTMLElement>('[data-card]')?.focus();
  }, [requests.length]);
  return (
    <ol class="queue" ref={box} aria-label="Pending">
      {requests.map((request) => (
        <li key={request.key} class={`item ${request.key === open ? 'open' : ''}`}>
          <Tab request={request} open={request.key === open} onOpen={() => onOpen(request.key)} />
          {request.key === open && <Card key={request.key} request={request} />}
        </li>
      ))}
      <Settled />
    </ol>
  );
}

function Tab({
  request,
  open,
  onOpen,
}: {
  request: Request;
  open: boolean;
  onOpen: () => void;
}): JSX.Element {
  const now = useNow(1_000);
  const { first, all } = request;
  const left = request.expiresAt - now;
  const { verb, code } = wantOf(first);
  return (
    <button type="button" class="tab" aria-expanded={open} data-item={request.key} onClick={onOpen}>
      {all.length > 1 ? (
        <>
          <span class="agent" aria-hidden="true">
            ×{all.length}
          </span>
          <span class="where">
            {counted(new Set(all.map(({ source, sessionId }) => `${source}/${sessionId}`)).size, 'session')}
            <span class="branch">{placesOf(all)}</span>
          </span>
        </>
      ) : (
        <>
          <AgentBadge source={first.source} />
          <Where place={first.place} />
        </>
      )}
      <span class={`time-left ${left < SOON_MS ? 'soon' : ''}`}>{countdown(left)}</span>
      <span class="want cut">
        {verb} {code && <code>{code}</code>}
      </span>
    </button>
  );
}

function placesOf(all: readonly ShownApproval[]): string {
  const repos = [...new Set(all.map(({ place }) => place.split(' · ')[0] ?? ''))];
  return repos.length === 1 ? (repos[0] ?? '') : counted(repos.length, 'repo');
}

const SETTLED = {
  allowed: ['allowed', 'Allowed'],
  denied: ['denied', 'Denied'],
  expired: [null, 'Expired'],
  withdrawn: [null, 'Withdrawn'],
  pending: ['waiting', 'Pending'],
} as const;

/** The latest answers, as feedback after a key press. */
function Settled(): JSX.Element | null {
  const { settled } = useLive().state;
  if (settled.length === 0) return null;
  return (
    <li class="settled">
      <h2>Just answered</h2>
      <ul>
        {settled.slice(0, SHOWN_SETTLED).map((approval) => {
          const [outcome, word] = SETTLED[approval.state];
          const { verb, code } = wantOf(approval);
          return (
            <li key={approval.id} title={approval.settledBy ?? ''}>
              <Chip outcome={outcome}>{word}</Chip>
              <a class="cut" href={eventLink(approval.eventId)}>
                {code ? <code>{code}</code> : verb}
              </a>
              <span>{shortClock(approval.settledAt ?? approval.createdAt)}</span>
            </li>
          );
        })}
      </ul>
    </li>
  );
}
