import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLive } from '../hooks.ts';
import { Empty } from './bits.tsx';
import { Card, SettledRow } from './card.tsx';

/** What waits for a person, the oldest first. */
export function Inbox(): JSX.Element {
  const { state } = useLive();
  const { pending, settled } = state;
  const box = useRef<HTMLElement>(null);
  const count = useRef(pending.length);

  // The card that had the focus is gone with its answer: the next one takes it, or who tabs would start over.
  useEffect(() => {
    const fewer = pending.length < count.current;
    count.current = pending.length;
    if (!fewer || document.activeElement !== document.body) return;
    const next = box.current?.querySelector<HTMLElement>('[data-card]') ?? box.current?.querySelector('h2');
    next?.focus();
  }, [pending.length]);

  return (
    <section class="inbox" ref={box} aria-labelledby="inbox-title">
      <h2 id="inbox-title" tabIndex={-1}>
        Waiting for you <span class="count">{pending.length}</span>
      </h2>
      {pending.map((approval) => (
        <Card key={approval.id} approval={approval} />
      ))}
      {pending.length === 0 && (
        <Empty title="Nothing waits.">
          While this page is open, what rules ask about and what agents want permission for comes here. Close
          the page, and agents ask at their own prompts again.
        </Empty>
      )}
      {settled.length > 0 && (
        <>
          <h3>Just answered</h3>
          <ul class="settled">
            {settled.slice(0, 8).map((approval) => (
              <SettledRow key={approval.id} approval={approval} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
