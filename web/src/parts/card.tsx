import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import {
  type Approval,
  approvalSubject,
  LEFT_TO_AGENT,
  type ShownApproval,
} from '../../../src/approvals/approval.ts';
import { timeTaken } from '../../../src/model/text.ts';
import { eventLink, sessionLink } from '../format.ts';
import { useLive, useNow } from '../hooks.ts';
import { titleOf } from '../live.ts';
import { Changes, Code, readable } from './bits.tsx';
import { AllowActions, type Answering, DenyActions, useAnswering } from './card-answer.tsx';
import { Questions } from './questions.tsx';

/** One thing that waits for a person, with the ways to answer it. */
export function Card({ approval }: { approval: ShownApproval }): JSX.Element {
  const id = useId();
  const answering = useAnswering(approval);
  const { busy, give } = answering;
  const { kind, reason, rules, questions } = approval;
  return (
    <article
      class="card"
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      data-card={approval.id}
      onKeyDown={(event) => onKey(event, approval, answering)}
    >
      <CardHeader approval={approval} titleId={`${id}-title`} />
      <Subject approval={approval} />
      {reason && <p class="reason">{reason}</p>}
      {rules.length > 0 && <AskedBy rules={rules} />}
      {kind === 'question' && questions.length > 0 ? (
        <Questions
          approval={approval}
          busy={busy}
          onAnswer={(answers) => void give({ decision: 'allow', answers })}
        />
      ) : (
        <AllowActions approval={approval} answering={answering} />
      )}
      <DenyActions answering={answering} />
    </article>
  );
}

function onKey(event: KeyboardEvent, { kind, tool }: Approval, answering: Answering): void {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(target instanceof HTMLElement) || target.closest('input, textarea, select')) return;
  if (key === 'a' && kind !== 'question') answering.allow();
  else if (key === 'd') void answering.give({ decision: 'deny' });
  else if (key === 'l') void answering.give(LEFT_TO_AGENT);
  else if (key === 'e' && tool) answering.edit();
  else return;
  event.preventDefault();
}

function CardHeader({ approval, titleId }: { approval: ShownApproval; titleId: string }): JSX.Element {
  const { state } = useLive();
  const now = useNow(1_000);
  const { source } = approval;
  const label = state.about.agents.find((agent) => agent.id === source)?.label ?? source;
  const left = Math.max(0, approval.expiresAt - now);
  return (
    <header>
      <h3 id={titleId}>
        <span class="agent">{label}</span> {heading(approval)}
      </h3>
      <span class="meta">
        <a href={sessionLink(approval)}>{approval.place || `session ${approval.sessionId.slice(0, 8)}`}</a>
        {/* The event is stored with its answer, so there is no page about it yet. */}
        <span title="Then the agent asks at its own prompt.">
          {timeTaken(left).replace(/\.\d s/, ' s')} left
        </span>
      </span>
    </header>
  );
}

function AskedBy({ rules }: Pick<Approval, 'rules'>): JSX.Element {
  return (
    <p class="meta">
      asked by{' '}
      {rules.map((rule) => (
        <a key={rule} href={`#/rules/${encodeURIComponent(rule)}`}>
          {rule}
        </a>
      ))}
    </p>
  );
}

function heading({ kind, tool }: Approval): string {
  if (kind === 'question') return 'has a question';
  if (kind === 'plan') return 'has a plan';
  if (kind === 'elicitation') return 'asks for an MCP server';
  return `wants to use ${tool?.name ?? 'a tool'}`;
}

function Subject({ approval }: { approval: ShownApproval }): JSX.Element | null {
  const { tool, question, kind, changes } = approval;
  if (question !== null) return <p>{question}</p>;
  if (!tool || kind === 'question') return null;
  if (kind === 'plan') return <Code label="Plan">{approvalSubject(approval)}</Code>;
  const text = tool.command ?? (changes.length > 0 ? null : readable(tool.input));
  return (
    <>
      {text !== null && <Code label="What it wants to do">{text}</Code>}
      <Changes changes={changes} />
    </>
  );
}

/** An approval that has its end. */
export function SettledRow({ approval }: { approval: Approval }): JSX.Element {
  const state = approval.state === 'allowed' ? 'allowed' : approval.state === 'denied' ? 'denied' : 'plain';
  return (
    <li>
      <span class={`pill ${state}`}>{approval.state}</span>{' '}
      <a href={eventLink(approval.eventId)}>{titleOf(approval)}</a>{' '}
      <span class="meta">{approval.settledBy}</span>
    </li>
  );
}
