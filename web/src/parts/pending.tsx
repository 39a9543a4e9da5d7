import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PendingView } from '../../../src/daemon/web/shapes.ts';
import { type Alert, alertText } from '../../../src/model/alert.ts';
import { has, post } from '../api.ts';
import { useAsked, useLive, useNoted } from '../hooks.ts';
import { Changes } from './approvals/diff.tsx';
import { Await } from './bits.tsx';

const isPending = has<PendingView>('lost', 'changes');

/** Changes to settings and rules that need a person: their diff, and the button that applies them. */
export function Pending({ alert }: { readonly alert: Alert }): JSX.Element {
  const [open, setOpen] = useState(false);
  const mayConfirm = useLive().state.device === null;
  return (
    <div class="banner" role="alert">
      <div class="line">
        <span class="grow">{alertText(alert)}</span>
        {mayConfirm && (
          <button type="button" class="button" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Hide changes' : 'Show changes'}
          </button>
        )}
      </div>
      {open && <PendingChanges again={alert.at} />}
    </div>
  );
}

function PendingChanges({ again }: { readonly again: string }): JSX.Element {
  const [asked, setAsked] = useState(0);
  const [note, run] = useNoted(() => setAsked((times) => times + 1));
  const loaded = useAsked('/api/confirm', isPending, `${again} ${asked}`);
  async function confirm({ changes }: PendingView): Promise<string> {
    const seen = Object.fromEntries(changes.map(({ file, mark }) => [file, mark]));
    await post('/api/confirm', { seen }, isPending);
    return 'Changes applied from the next call on.';
  }
  return (
    <>
      <p role="status" class="sm">
        {note}
      </p>
      <Await loaded={loaded}>
        {(view) => (
          <>
            <ul>
              {view.changes.flatMap(({ file, lines }) =>
                lines.map((line) => (
                  <li key={`${file} ${line}`}>
                    {file}: {line}
                  </li>
                )),
              )}
            </ul>
            <Changes changes={view.changes.map(({ file, diff }) => ({ path: file, lines: diff }))} />
            <button type="button" class="button" onClick={() => run(() => confirm(view))}>
              Apply these changes
            </button>
          </>
        )}
      </Await>
    </>
  );
}
