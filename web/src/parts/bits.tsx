import type { ComponentChildren, JSX } from 'preact';
import type { Outcome } from '../../../src/history/outcome.ts';
import type { Change } from '../../../src/model/changes.ts';
import type { Loaded } from '../hooks.ts';

/** A word in the colour of what became of something. */
export function Pill({
  outcome,
  children,
}: {
  outcome: Outcome | null;
  children: string;
}): JSX.Element | null {
  return children ? <span class={`pill ${outcome ?? 'plain'}`}>{children}</span> : null;
}

/** What has to be loaded, or why it is not there. */
export function Await<T>({
  loaded,
  children,
}: {
  loaded: Loaded<T>;
  children: (value: T) => ComponentChildren;
}): JSX.Element {
  if (loaded.state === 'loading') return <p class="quiet">Loading…</p>;
  if (loaded.state === 'failed') return <p class="trouble">{loaded.message}</p>;
  return <>{children(loaded.value)}</>;
}

/** What to say where there is nothing: what would be here, and how it gets here. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      <p>{children}</p>
    </div>
  );
}

/** What scrolls has to be within reach of those who have no mouse. */
export function Scroll({
  label,
  kind,
  children,
}: {
  label: string;
  kind: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
    <section class={`scroll ${kind}`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

export function Code({ children, label }: { children: string; label: string }): JSX.Element {
  return (
    <Scroll label={label} kind="code">
      <pre>{children}</pre>
    </Scroll>
  );
}

const MARK_CLASS = { '-': 'out', '+': 'in', ' ': 'same', '@': 'hunk' } as const;
const MARK_WORD = { '-': 'removed ', '+': 'added ', ' ': '', '@': '' } as const;

/** What a call changes, file by file. */
export function Changes({ changes }: { changes: readonly Change[] }): JSX.Element {
  return (
    <>
      {changes.map((change, at) => (
        <Diff key={at} change={change} />
      ))}
    </>
  );
}

function Diff({ change }: { change: Change }): JSX.Element {
  return (
    <figure class="diff">
      {change.path && <figcaption>{change.path}</figcaption>}
      <Scroll label={`Change of ${change.path || 'a file'}`} kind="code">
        <pre>
          {change.lines.map(({ mark, text }, at) => (
            <span key={at} class={`line ${MARK_CLASS[mark]}`}>
              {MARK_WORD[mark] && <span class="unseen">{MARK_WORD[mark]}</span>}
              <span aria-hidden="true">{mark === '@' ? ' ' : mark}</span> {text}
              {'\n'}
            </span>
          ))}
        </pre>
      </Scroll>
    </figure>
  );
}

/** Any value as people can read it: text as it is, everything else as JSON. */
export function readable(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
