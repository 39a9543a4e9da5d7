import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLive } from '../hooks.ts';
import { titleOf } from '../live.ts';
import { arrived, canNotify, isNotifying, notify, startNotifying, stopNotifying } from '../notify.ts';
import { useAgentLabels } from './bits.tsx';
import { Icon } from './icons.tsx';

/** Switches this browser's notifications, which arrive while the page is open. */
export function NotifyButton(): JSX.Element | null {
  const [on, setOn] = useState(isNotifying());
  useNotifications();
  if (!canNotify()) return null;
  const toggle = async () => {
    if (on) stopNotifying();
    setOn(!on && (await startNotifying()));
  };
  return (
    <button
      type="button"
      class="icon-button bell"
      aria-label="Notifications while this page is open"
      aria-pressed={on}
      onClick={() => void toggle()}
    >
      <Icon name="bell" />
    </button>
  );
}

function useNotifications(): void {
  const { pending } = useLive().state;
  const labelOf = useAgentLabels();
  const before = useRef(pending);
  useEffect(() => {
    // A browser that blocks notifications must not stop anything else.
    for (const approval of arrived(before.current, pending))
      void notify(`${labelOf(approval.source)} needs approval`, titleOf(approval), approval.id).catch(
        () => {},
      );
    before.current = pending;
  }, [pending]);
}
