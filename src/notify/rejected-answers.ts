import { accessRecord } from '../access/record.ts';
import { messageOf } from '../model/errors.ts';
import type { Log } from '../model/log.ts';
import type { CallRecord } from '../model/recording.ts';

/** More than a person sends by hand. Without a limit, an attacker who knows the reply topic could fill the history. */
const MOST_A_MINUTE = 30;
const MINUTE_MS = 60_000;

/** Records rejected answers: each of them, but for a flood only their number. */
export function createRejections(
  record: (why: string) => void,
  now: () => number = Date.now,
): { add(why: string): void } {
  let began = now();
  let count = 0;
  return {
    add(why) {
      if (now() - began >= MINUTE_MS) {
        const left = count - MOST_A_MINUTE;
        began = now();
        count = 0;
        if (left > 0) record(`${left} more of the minute before are not recorded one by one`);
      }
      count += 1;
      if (count <= MOST_A_MINUTE) record(why);
      // Recorded at once, because a flood may end before the next minute would count it.
      if (count === MOST_A_MINUTE + 1)
        record('there are more of them in this minute, which are only counted');
    },
  };
}

interface Logging {
  readonly log: Log;
}

interface Recording {
  note(record: CallRecord): void;
}

/** Records rejected answers. */
export function recordRejections(name: string, home: Logging, hub: Recording) {
  return createRejections((why) => note(why, name, home, hub)).add;
}

function note(why: string, name: string, { log }: Logging, hub: Recording): void {
  const decision = {
    allowed: false,
    why: `An answer over ${name} did not count: ${why}.`,
    hint: '',
    agent: null,
  } as const;
  try {
    hub.note(accessRecord('answer', decision));
  } catch (error) {
    // The answer doesn't count, recorded or not.
    log('error', `an answer over ${name} that did not count was not recorded: ${messageOf(error)}`);
  }
}
