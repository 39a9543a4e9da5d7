import type { JSX } from 'preact';
import { Copy } from '../parts/bits.tsx';

/** For a browser that has no pass. */
export function Out({ expired }: { expired: boolean }): JSX.Element {
  const isElsewhere = window.location.protocol === 'https:';
  return (
    <main class="out">
      <h1>Hookline</h1>
      {expired && <p class="trouble">That link was used already, or is older than a minute.</p>}
      {isElsewhere ? (
        <p>
          This device is not paired, or is not any more. Run this on the machine and scan the code that it
          shows.
        </p>
      ) : (
        <p>Run this in a terminal on this machine. It gives a link that lets this browser in.</p>
      )}
      <p>
        <Copy command={isElsewhere ? 'hookline open --phone' : 'hookline open'} />
      </p>
    </main>
  );
}
