import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { HANDED_BACK, type ShownApproval } from '../../../../src/approvals/approval.ts';
import type { Only } from '../../../../src/approvals/limits.ts';
import { type Answering, editableFields, scopesOf } from '../../answering.ts';
import { inAddress } from '../../format.ts';
import { useLive } from '../../hooks.ts';
import { Key } from '../bits.tsx';
import { Covers } from './card.tsx';

interface MoreProps {
  readonly approval: ShownApproval;
  readonly answering: Answering;
}

/** More answers: allow and remember, edit, deny with a message, or hand back. */
export function CardMenu({ approval, answering, only }: MoreProps & { readonly only: Only }): JSX.Element {
  const menu = useRef<HTMLDivElement>(null);
  const { give, setDoing, allowFor } = answering;
  const scopes = approval.kind === 'question' ? [] : scopesOf(approval);
  const { tool } = approval;
  const { device } = useLive().state;
  useEffect(() => menu.current?.querySelector('button')?.focus(), []);
  return (
    <div class="menu" ref={menu} data-menu>
      {tool && approval.kind === 'permission' && only === 'any' && (
        <>
          <h3>Allow and remember</h3>
          {scopes.map(([scope, words], at) => (
            <Entry key={scope} hint={String(at + 1)} onChoose={() => allowFor(scope)}>
              {words}
            </Entry>
          ))}
          <Covers approval={approval} />
          <hr />
        </>
      )}
      {tool && only === 'any' && editableFields(approval).length > 0 && approval.kind !== 'question' && (
        <Entry hint="E" onChoose={() => setDoing('edit')}>
          Edit it, then allow…
        </Entry>
      )}
      <Entry hint="R" onChoose={() => setDoing('message')}>
        Deny with a message…
      </Entry>
      <Entry hint="X" onChoose={() => void give({ decision: 'deny', halt: true })}>
        Deny and end the turn
      </Entry>
      {only !== 'deny' && (
        <Entry hint="L" onChoose={() => void give(HANDED_BACK)}>
          Ask in the agent instead
        </Entry>
      )}
      {tool?.command && device === null && (
        <>
          <hr />
          <a class="entry" href={`#/rules/new/${inAddress(tool.command)}`}>
            Create a rule from this…
          </a>
        </>
      )}
    </div>
  );
}

function Entry({
  hint,
  onChoose,
  children,
}: {
  hint: string;
  onChoose: () => void;
  children: string;
}): JSX.Element {
  return (
    <button type="button" class="entry" onClick={onChoose}>
      {children} <Key>{hint}</Key>
    </button>
  );
}

/** One field per text, so that no escaped text has to be edited. */
export function EditForm({ approval, answering }: MoreProps): JSX.Element {
  const fields = editableFields(approval);
  const [draft, setDraft] = useState<Readonly<Record<string, string>>>(Object.fromEntries(fields));
  const isCommand = approval.tool?.command != null;
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault();
        void answering.give({ decision: 'allow', input: draft });
      }}
    >
      {fields.map(([name, text]) => (
        <label key={name}>
          <span class="label">{isCommand ? 'Edited command' : name}</span>
          <textarea
            class="field"
            rows={Math.min(16, text.split('\n').length + 1)}
            value={draft[name]}
            spellcheck={false}
            onInput={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      <div class="actions">
        <button type="submit" class="button primary" disabled={answering.busy}>
          Allow edited
        </button>
        <button type="button" class="button" onClick={() => answering.setDoing(null)}>
          Cancel edit
        </button>
      </div>
    </form>
  );
}

export function MessageForm({ answering }: Pick<MoreProps, 'answering'>): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [message, setMessage] = useState('');
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      class="message"
      onSubmit={(event) => {
        event.preventDefault();
        void answering.give({ decision: 'deny', ...(message.trim() ? { message: message.trim() } : {}) });
      }}
    >
      <input
        ref={input}
        class="field grow"
        aria-label="Message to the agent"
        placeholder="Message to the agent: what to do instead"
        value={message}
        onInput={(event) => setMessage(event.currentTarget.value)}
      />
      <button type="submit" class="button" disabled={answering.busy}>
        Deny with this message
      </button>
      <button type="button" class="button plain" onClick={() => answering.setDoing(null)}>
        Cancel
      </button>
    </form>
  );
}
