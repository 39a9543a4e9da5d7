import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import {
  approvalSubject,
  grantPreview,
  HANDED_BACK,
  type ShownApproval,
} from '../../../../src/approvals/approval.ts';
import type { Only } from '../../../../src/approvals/limits.ts';
import { visible } from '../../../../src/terminal/visible.ts';
import { type Answering, scopesOf, useAnswering } from '../../answering.ts';
import { countdown, ruleLink, sessionLink } from '../../format.ts';
import { useNow, useOnly } from '../../hooks.ts';
import { headingOf, type Request } from '../../requests.ts';
import { AgentBadge, Key, readable, useAgentLabel, Where } from '../bits.tsx';
import { Command } from '../command.tsx';
import { Icon } from '../icons.tsx';
import { CardMenu, EditForm, MessageForm } from './card-more.tsx';
import { Changes } from './diff.tsx';
import { Plan } from './plan.tsx';
import { Questions } from './questions.tsx';

/** One pending approval with its details and its answers. */
export function Card({ request, inSession = false }: { request: Request; inSession?: boolean }): JSX.Element {
  const id = useId();
  const answering = useAnswering(request);
  const only = useOnly();
  const { first, all } = request;
  const label = useAgentLabel(first.source);
  const asksQuestions = first.kind === 'question' && first.questions.length > 0;
  const canAnswer = asksQuestions && only !== 'deny';
  return (
    <article
      class={`card ${first.destructive ? 'destructive' : ''}`}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      data-card={first.id}
      onKeyDown={(event) => onKey(event, keyActions(first, answering, only), answering)}
    >
      <Context request={request} inSession={inSession} />
      <h2 class="card-title" id={`${id}-title`}>
        {headingOf(first, label, all.length)}
      </h2>
      {first.asked && all.length === 1 && (
        <p class="asked">
          <b>Your prompt</b> <span>{first.asked.prompt}</span>
        </p>
      )}
      {answering.doing === 'edit' ? (
        <EditForm approval={first} answering={answering} />
      ) : (
        !asksQuestions && <Subject approval={first} />
      )}
      {all.length > 1 && <Same request={request} answering={answering} />}
      <Because approval={first} />
      {answering.problem && <p class="trouble">{answering.problem}</p>}
      {canAnswer ? (
        <Questions approval={first} answering={answering} />
      ) : (
        answering.doing !== 'edit' && <Actions request={request} answering={answering} only={only} />
      )}
      {answering.doing === 'message' && <MessageForm answering={answering} />}
      {answering.doing === 'menu' && <CardMenu approval={first} answering={answering} only={only} />}
    </article>
  );
}

function Context({
  request: { first, all },
  inSession,
}: {
  request: Request;
  inSession: boolean;
}): JSX.Element {
  const label = useAgentLabel(first.source);
  if (all.length > 1)
    return (
      <div class="context">
        {all.map(({ id, source }) => (
          <AgentBadge key={id} source={source} />
        ))}
        <span>Same call in {all.length} sessions</span>
      </div>
    );
  return (
    <div class="context">
      <AgentBadge source={first.source} />
      <span>{label}</span>
      <Where place={first.place} />
      {first.asked && <span class="quiet">turn {first.asked.turn}</span>}
      {!inSession && (
        <a class="link right" href={sessionLink(first)} data-open-session>
          Open session <Key>O</Key>
        </a>
      )}
    </div>
  );
}

function Subject({ approval }: { approval: ShownApproval }): JSX.Element | null {
  const { tool, question, kind, changes, marks, runsWith } = approval;
  // The heading is the question.
  if (question !== null || !tool || kind === 'question') return null;
  if (kind === 'plan') return <Plan text={approvalSubject(approval)} />;
  return (
    <>
      {tool.command !== null && <Command text={tool.command} marks={marks} large />}
      {runsWith.length > 0 && (
        <p class="runs-with">
          <b>Runs with</b> <span>{visible(runsWith.join(', '))}</span>
        </p>
      )}
      {tool.command === null && changes.length === 0 && <Arguments input={tool.input} />}
      {changes.length > 0 && <Changes changes={changes} />}
    </>
  );
}

/** Shows text unescaped, because escaped text is hard to read. */
function Arguments({ input }: { input: Readonly<Record<string, unknown>> }): JSX.Element {
  return (
    <dl class="arguments">
      {Object.entries(input).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <pre class="code">{visible(readable(value))}</pre>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The same call in several sessions; each can be left out. */
function Same({ request, answering }: { request: Request; answering: Answering }): JSX.Element {
  const now = useNow(1_000);
  return (
    <fieldset class="same">
      <legend class="unseen">Sessions</legend>
      {request.all.map((approval) => (
        <label key={approval.id}>
          <input
            type="checkbox"
            checked={answering.chosen.includes(approval)}
            onChange={() => answering.toggle(approval.id)}
          />
          <AgentBadge source={approval.source} />
          <Where place={approval.place} />
          <span class="quiet cut">{approval.asked?.prompt}</span>
          <span class="quiet">{countdown(approval.expiresAt - now)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The reason for the approval, and the rules behind it. */
function Because({ approval: { reason, rules, kind } }: { approval: ShownApproval }): JSX.Element | null {
  // A question or a plan needs no reason.
  if (reason === null && kind !== 'permission') return null;
  return (
    <p class="because">
      <Icon name="ask" />
      <span>
        {reason ?? "The agent's own permissions require approval."}{' '}
        {rules.map((rule) => (
          <a key={rule} href={ruleLink(rule)}>
            {rule}
          </a>
        ))}
      </span>
    </p>
  );
}

function Actions({
  request,
  answering,
  only,
}: {
  request: Request;
  answering: Answering;
  only: Only;
}): JSX.Element {
  const { busy, chosen, give, doing, setDoing } = answering;
  const { kind, destructive } = request.first;
  const all = request.all.length > 1 ? ` all ${chosen.length}` : '';
  const isPlan = kind === 'plan';
  return (
    <div class="actions">
      {only !== 'deny' && (
        <button
          type="button"
          class={`button wide ${destructive ? '' : 'primary'}`}
          disabled={busy || chosen.length === 0}
          onClick={() => void give({ decision: 'allow' })}
        >
          {isPlan ? 'Approve plan' : all ? `Allow${all}` : 'Allow once'} <Key>A</Key>
        </button>
      )}
      <button
        type="button"
        class="button wide"
        disabled={busy || chosen.length === 0}
        onClick={() => void give({ decision: 'deny' })}
      >
        {isPlan ? 'Keep planning' : `Deny${all}`} <Key>D</Key>
      </button>
      <MoreButton open={doing === 'menu'} onToggle={() => setDoing(doing === 'menu' ? null : 'menu')} />
      <Left request={request} />
    </div>
  );
}

export function MoreButton({ open, onToggle }: { open: boolean; onToggle: () => void }): JSX.Element {
  return (
    <button type="button" class="button plain more" aria-expanded={open} data-more onClick={onToggle}>
      <Icon name="more" /> <span>More</span> <Key>M</Key>
    </button>
  );
}

function Left({ request }: { request: Request }): JSX.Element {
  const now = useNow(1_000);
  const text =
    request.all.length > 1
      ? `Your answer applies to all ${request.all.length}`
      : `Expires in ${countdown(request.expiresAt - now)}; then the agent asks in its terminal`;
  return <span class="after">{text}</span>;
}

type KeyActions = Readonly<Record<string, () => void>>;

function onKey(event: KeyboardEvent, actions: KeyActions, answering: Answering): void {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !answering.isSettled()) return;
  if (!(target instanceof HTMLElement) || target.closest('input, textarea, select')) return;
  const act = actions[key.toLowerCase()];
  if (!act || answering.busy) return;
  event.preventDefault();
  // The global key listener must not handle it as well.
  event.stopPropagation();
  act();
}

/** The actions of the keys on a card. */
function keyActions(approval: ShownApproval, answering: Answering, only: Only): KeyActions {
  const { give, setDoing, doing, allowFor } = answering;
  const isQuestion = approval.kind === 'question' && approval.questions.length > 0;
  const scopes = isQuestion || only !== 'any' ? [] : scopesOf(approval);
  return {
    ...(isQuestion || only === 'deny' ? {} : { a: () => void give({ decision: 'allow' }) }),
    d: () => void give({ decision: 'deny' }),
    ...(only === 'deny' ? {} : { l: () => void give(HANDED_BACK) }),
    m: () => setDoing(doing === 'menu' ? null : 'menu'),
    r: () => setDoing('message'),
    x: () => void give({ decision: 'deny', halt: true }),
    ...(approval.tool && !isQuestion && only === 'any' ? { e: () => setDoing('edit') } : {}),
    // Digits choose a scope only while the menu shows them.
    ...(doing === 'menu'
      ? Object.fromEntries(scopes.map(([scope], at) => [String(at + 1), () => allowFor(scope)]))
      : {}),
    ...(doing === null ? {} : { escape: () => setDoing(null) }),
  };
}

/** What a grant would cover. */
export function Covers({ approval }: { approval: ShownApproval }): JSX.Element {
  return <p class="covers">{grantPreview(approval)}</p>;
}
