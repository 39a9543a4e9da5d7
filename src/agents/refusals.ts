import type { NativeAnswer } from '../model/native.ts';

/** The reason that the agent gets when nothing could judge a call and the user chose to fail closed. Also a word of a shell. */
export const REFUSAL =
  'Hookline could not check this call and is set to fail closed, so it is denied. Run hookline doctor to see why.';

/** For a plugin, an extension or a package on a machine where Hookline is not. Also a word of a shell. */
export const NOT_SET_UP = 'Hookline is not set up on this machine, so nothing is guarded or recorded.';

/** For the events that exit code 2 with a text refuses. */
export function refusedByExit(events: readonly string[]): Record<string, NativeAnswer> {
  return Object.fromEntries(
    events.map((event) => [event, { action: 'block_with_stderr', stderr: `${REFUSAL}\n` }]),
  );
}
