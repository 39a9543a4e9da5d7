import type { JSX } from 'preact';
import { Copy } from '../parts/bits.tsx';

/** For a browser that has no pass. */
export function Out({ expired }: { expired: boolean }): JSX.Element {
  return (
    <main class="out">
      <h1>Hookline</h1>
      {expired && <p class="trouble">That link was used already, or is older than a minute.</p>}
      <p>Run this in a terminal on this machine. It gives a link that lets this browser in.</p>
      <p>
        <Copy command="hookline open" />
      </p>
    </main>
  );
}
