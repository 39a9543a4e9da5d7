/**
 * As `indexOf`, which takes as long as both lengths multiplied where a text is made for it: this one looks at each
 * character a few times only.
 */
export function positionOf(sought: string, text: string, from: number): number {
  const short = sought.length < SHORT;
  if (short || text.length - from < sought.length) return short ? text.indexOf(sought, from) : -1;
  const borders = bordersOf(sought);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    while (matched > 0 && sought.charCodeAt(matched) !== sign) matched = borders[matched - 1] ?? 0;
    if (sought.charCodeAt(matched) === sign) matched += 1;
    if (matched === sought.length) return at - matched + 1;
  }
  return -1;
}

const SHORT = 200;

/** How much of the beginning each beginning ends with. */
function bordersOf(sought: string): Int32Array {
  const borders = new Int32Array(sought.length);
  let length = 0;
  for (let at = 1; at < sought.length; at++) {
    while (length > 0 && sought.charCodeAt(at) !== sought.charCodeAt(length))
      length = borders[length - 1] ?? 0;
    if (sought.charCodeAt(at) === sought.charCodeAt(length)) length += 1;
    borders[at] = length;
  }
  return borders;
}
