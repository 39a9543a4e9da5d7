/** More than anybody makes by hand: whoever knows where answers go could fill the history otherwise. */
const MOST_A_MINUTE = 30;
const MINUTE_MS = 60_000;

/** Answers that did not count, for the record: each of them, but of a flood only how many there were. */
export function createRefusals(
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
      // At once: a flood that ends has no next minute in which it could be counted.
      if (count === MOST_A_MINUTE + 1)
        record('there are more of them in this minute, which are only counted');
    },
  };
}
