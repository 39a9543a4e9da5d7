import type { JSX } from 'preact';

/** For a browser that has no pass. */
export function Out({ expired }: { expired: boolean }): JSX.Element {
  return (
    <main class="out">
      <h1>Hookline</h1>
      {expired && <p class="trouble">That link was used already, or is older than a minute.</p>}
      <p>
        Run <code>hookline open</code> in a terminal on this machine: it gives a link that lets this browser
        in.
      </p>
    </main>
  );
}
