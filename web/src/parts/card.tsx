import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Answer, AnswerScope, Approval } from '../../../src/approvals/approval.ts';
import { changesIn } from '../../../src/view/change.ts';
import { eventLink, sessionLink, span } from '../format.ts';
import { useLive, useNow } from '../hooks.ts';
import { Code, Diff, readable } from './bits.tsx';
import { Questions } from './questions.tsx';

const SCOPES: readonly (readonly [scope: AnswerScope, words: string])[] = [
  ['once', 'this once'],
  ['session', 'for this session'],
  ['branch', 'on this branch'],
  ['project', 'in this project'],
  ['always', 'always'],
];

/** One thing that waits for a person, with the ways to answer it. */
export function Card({ approval }: { approval: Approval }): JSX.Element {
  const { live, state } = useLive();
  const now = useNow(1_000);
  const id = useId();
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const [scope, setScope] = useState<AnswerScope>('once');
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { tool, kind, source, reason, rules } = approval;
  const label = state.about.agents.find((agent) => agent.id === source)?.label ?? source;

  async function give(answer: Answer): Promise<void> {
    setBusy(true);
    const said = message.trim();
    const taken = await live.answer(approval, { ...answer, ...(said ? { message: said } : {}) });
    if (!taken) setBusy(false);
  }

  function allow(): void {
    const input = draft === null ? null : editedInput(approval, draft);
    if (input === 'unreadable') {
      setProblem('That is not a JSON object.');
      return;
    }
    // What was changed is not what the agent will ask for again, so it cannot stand for longer.
    void give({ decision: 'allow', ...(input ? { input } : scope === 'once' ? {} : { scope }) });
  }

  function onKey(event: KeyboardEvent): void {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!(target instanceof HTMLElement) || target.closest('input, textarea, select')) return;
    if (key === 'a' && kind !== 'question') allow();
    else if (key === 'd') void give({ decision: 'deny' });
    else if (key === 'e' && tool) setDraft(editable(approval));
    else return;
    event.preventDefault();
  }

  const left = Math.max(0, approval.expiresAt - now);
  return (
    <article
      class="card"
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      data-card={approval.id}
      onKeyDown={onKey}
    >
      <header>
        <h3 id={`${id}-title`}>
          <span class="agent">{label}</span> {heading(approval)}
        </h3>
        <span class="meta">
          <a href={sessionLink(approval)}>session {approval.sessionId.slice(0, 8)}</a>
          {/* The event is stored with its answer, so there is no page about it yet. */}
          <span title="Then the agent asks at its own prompt.">
            {span(left).replace(/\.\d s/, ' s')} left
          </span>
        </span>
      </header>
      <Subject approval={approval} />
      {reason && <p class="reason">{reason}</p>}
      {rules.length > 0 && (
        <p class="meta">
          asked by{' '}
          {rules.map((rule) => (
            <a key={rule} href={`#/rules/${encodeURIComponent(rule)}`}>
              {rule}
            </a>
          ))}
        </p>
      )}
      {kind === 'question' && approval.questions.length > 0 ? (
        <Questions
          approval={approval}
          busy={busy}
          onAnswer={(answers) => void give({ decision: 'allow', answers })}
        />
      ) : (
        <>
          {draft !== null && (
            <label class="field">
              Run this instead
              <textarea
                rows={Math.min(12, draft.split('\n').length + 1)}
                value={draft}
                onInput={(event) => setDraft(event.currentTarget.value)}
                spellcheck={false}
              />
            </label>
          )}
          {problem && <p class="trouble">{problem}</p>}
          <div class="actions">
            <button type="button" class="go" disabled={busy} onClick={allow}>
              {draft === null ? 'Allow' : 'Allow edited'}
            </button>
            {tool && draft === null && (
              <label class="inline">
                <span class="unseen">For how long</span>
                <select value={scope} onChange={(event) => setScope(scopeNamed(event.currentTarget.value))}>
                  {scopesFor(approval).map(([value, words]) => (
                    <option key={value} value={value}>
                      {words}
                    </option>
                  ))}
                </select>
              </label>
            )}
            {tool && (
              <button
                type="button"
                disabled={busy}
                onClick={() => {
                  setProblem(null);
                  setDraft(draft === null ? editable(approval) : null);
                }}
              >
                {draft === null ? 'Edit…' : 'Do not edit'}
              </button>
            )}
          </div>
        </>
      )}
      <div class="actions">
        <label class="field grow">
          <span class="unseen">Message to the agent</span>
          <input
            value={message}
            placeholder="Message to the agent (optional)"
            onInput={(event) => setMessage(event.currentTarget.value)}
          />
        </label>
        <button type="button" class="stop" disabled={busy} onClick={() => void give({ decision: 'deny' })}>
          Deny
        </button>
        <button
          type="button"
          class="stop"
          disabled={busy}
          onClick={() => void give({ decision: 'deny', halt: true })}
        >
          Deny and stop
        </button>
      </div>
    </article>
  );
}

function heading({ kind, tool }: Approval): string {
  if (kind === 'question') return 'has a question';
  if (kind === 'plan') return 'has a plan';
  if (kind === 'elicitation') return 'asks for an MCP server';
  return `wants to use ${tool?.name ?? 'a tool'}`;
}

function Subject({ approval }: { approval: Approval }): JSX.Element | null {
  const { tool, question, kind } = approval;
  if (question !== null) return <p>{question}</p>;
  if (!tool || kind === 'question') return null;
  const changes = changesIn(tool.input);
  if (changes.length > 0)
    return (
      <>
        {changes.map((change, at) => (
          <Diff key={at} change={change} />
        ))}
      </>
    );
  const { plan } = tool.input;
  if (kind === 'plan' && typeof plan === 'string') return <Code label="Plan">{plan}</Code>;
  return <Code label="What it wants to do">{tool.command ?? readable(tool.input)}</Code>;
}

function scopesFor({ tool }: Approval): typeof SCOPES {
  return tool?.mcp ? [...SCOPES, ['server', `always, all of ${tool.mcp.server}`]] : SCOPES;
}

function scopeNamed(name: string): AnswerScope {
  return ([...SCOPES, ['server', '']] as const).find(([scope]) => scope === name)?.[0] ?? 'once';
}

/** The argument that is the command, where there is one: everything else is edited as JSON. */
function commandField({ tool }: Approval): string | null {
  if (!tool?.command) return null;
  return Object.entries(tool.input).find(([, value]) => value === tool.command)?.[0] ?? null;
}

function editable(approval: Approval): string {
  return commandField(approval) ? (approval.tool?.command ?? '') : readable(approval.tool?.input ?? {});
}

function editedInput(approval: Approval, draft: string): Record<string, unknown> | 'unreadable' {
  const field = commandField(approval);
  if (field) return { [field]: draft };
  try {
    const value: unknown = JSON.parse(draft);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {}
  return 'unreadable';
}

/** An approval that has its end. */
export function SettledRow({ approval }: { approval: Approval }): JSX.Element {
  const state = approval.state === 'allowed' ? 'allowed' : approval.state === 'denied' ? 'denied' : 'plain';
  const { tool, question, questions } = approval;
  return (
    <li>
      <span class={`pill ${state}`}>{approval.state}</span>{' '}
      <a href={eventLink(approval.eventId)}>
        {tool?.name ?? approval.kind}{' '}
        {tool?.command ?? tool?.files[0]?.path ?? questions[0]?.text ?? question ?? ''}
      </a>{' '}
      <span class="meta">{approval.settledBy}</span>
    </li>
  );
}
