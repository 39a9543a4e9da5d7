import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  type AnswerScope,
  type Approval,
  forLonger,
  LEFT_TO_AGENT,
  type Reply,
  type ShownApproval,
} from '../../../src/approvals/approval.ts';
import { useLive } from '../hooks.ts';
import { editable, editedInput } from './card-edit.ts';

const SCOPES: readonly (readonly [scope: AnswerScope, words: string])[] = [
  ['once', 'this once'],
  ['session', 'for this session'],
  ['branch', 'on this branch'],
  ['project', 'in this project'],
  ['always', 'always'],
];

/** The answer to one approval while it is being made. */
export interface Answering {
  readonly busy: boolean;
  readonly message: string;
  readonly scope: AnswerScope;
  /** What is to run instead; null while nothing is edited. */
  readonly draft: string | null;
  readonly problem: string | null;
  setMessage(text: string): void;
  setScope(scope: AnswerScope): void;
  setDraft(text: string): void;
  edit(): void;
  toggleEdit(): void;
  allow(): void;
  give(answer: Reply): Promise<void>;
}

export function useAnswering(approval: Approval): Answering {
  const { live } = useLive();
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const [scope, setScope] = useState<AnswerScope>('once');
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  async function give(answer: Reply): Promise<void> {
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

  const edit = () => setDraft(editable(approval));
  function toggleEdit(): void {
    setProblem(null);
    if (draft === null) edit();
    else setDraft(null);
  }
  const fields = { busy, message, scope, draft, problem };
  return { ...fields, setMessage, setScope, setDraft, edit, toggleEdit, allow, give };
}

interface AnswerProps {
  readonly approval: ShownApproval;
  readonly answering: Answering;
}

/** Allow: as it is, for how long, or after a change. */
export function AllowActions({ approval, answering }: AnswerProps): JSX.Element {
  const { busy, draft, problem, setDraft, toggleEdit, allow } = answering;
  const { tool } = approval;
  return (
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
      {tool && draft === null && answering.scope !== 'once' && answering.scope !== 'server' && (
        <p class="meta">{forLonger(approval.covers)}</p>
      )}
      <div class="actions">
        <button type="button" class="go" disabled={busy} onClick={allow}>
          {draft === null ? 'Allow' : 'Allow edited'}
        </button>
        {tool && draft === null && <ScopeSelect approval={approval} answering={answering} />}
        {tool && (
          <button type="button" disabled={busy} onClick={toggleEdit}>
            {draft === null ? 'Edit…' : 'Do not edit'}
          </button>
        )}
      </div>
    </>
  );
}

function ScopeSelect({ approval, answering: { scope, setScope } }: AnswerProps): JSX.Element {
  return (
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
  );
}

/** Deny, and a message that goes with any answer. */
export function DenyActions({ answering }: Pick<AnswerProps, 'answering'>): JSX.Element {
  const { busy, message, setMessage, give } = answering;
  return (
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
      <button type="button" disabled={busy} onClick={() => void give(LEFT_TO_AGENT)}>
        Leave to agent
      </button>
    </div>
  );
}

function scopesFor({ tool }: Approval): typeof SCOPES {
  return tool?.mcp ? [...SCOPES, ['server', `always, all of ${tool.mcp.server}`]] : SCOPES;
}

function scopeNamed(name: string): AnswerScope {
  return ([...SCOPES, ['server', '']] as const).find(([scope]) => scope === name)?.[0] ?? 'once';
}
