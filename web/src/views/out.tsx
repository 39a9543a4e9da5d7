import type { JSX } from 'preact';
import { Copy } from '../parts/bits.tsx';

/** Shown to a browser that is not logged in. */
export function Out({ expired }: { expired: boolean }): JSX.Element {
  const isElsewhere = window.location.protocol === 'https:';
  return (
    <main class="out">
      <h1>Hookline</h1>
      {expired && <p class="trouble">This link has expired or was already used.</p>}
      {isElsewhere ? (
        <p>This device is not paired. Run this on the machine and scan the code.</p>
      ) : (
        <p>Run this in a terminal on this machine to get a login link.</p>
      )}
      <p>
        <Copy command={isElsewhere ? 'hookline open --phone' : 'hookline open'} />
      </p>
    </main>
  );
}
