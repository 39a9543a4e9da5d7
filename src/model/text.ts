/** A text on one line, white space folded; where it is longer than `most`, its beginning and an ellipsis. */
export function oneLine(text: string, most = Number.POSITIVE_INFINITY): string {
  let line = '';
  // Word by word: of a long text, no more is read than is shown.
  for (const [word] of text.matchAll(/\S+/g)) {
    line += line === '' ? word : ` ${word}`;
    if (line.length > most) return `${beginningOf(line, most - 1)}…`;
  }
  return line;
}

/** At most the first `most` characters. */
export function beginningOf(text: string, most: number): string {
  return text.length <= most ? text : wellFormed(text.slice(0, most));
}

/** At most the last `most` characters, behind an ellipsis where something was left out. */
export function endingOf(text: string, most: number): string {
  const trimmed = text.trimEnd();
  return trimmed.length <= most ? trimmed : `…${wellFormed(trimmed.slice(-most))}`;
}

/** `1 hook`, `2 hooks`, `2 entries`. */
export function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

/** 14:03:09, by the clock here. */
export function clockTime(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}

/** 2026-11-16 14:03, in UTC. */
export function minuteOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

/** A cut may have gone through a character of two halves. */
function wellFormed(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}
