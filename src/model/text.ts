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

/** The line that says what went wrong: the first that begins with an error’s name, or else the first that is not empty. */
export function errorLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.find((line) => /^\W*\w*error\b/i.test(line)) ?? lines.find((line) => line !== '') ?? '';
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

/** The last folder of a path. */
export function folderName(path: string | null): string {
  return path?.split(/[\\/]/).filter(Boolean).at(-1) ?? '';
}

/** 80 ms, 4.2 s, 46 s, 1 min 36 s, 1 h 12 min: in the largest unit that says enough. */
export function timeTaken(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 1_000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 10) return `${(ms / 1_000).toFixed(1)} s`;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** 14:03:09, by the clock here. */
export function clockTime(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}

/** 2026-11-16, by the calendar here. */
export function dayOf(ms: number): string {
  const date = new Date(ms);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** 2026-11-16 14:03, by the clock here. */
export function minuteOf(ms: number): string {
  return `${dayOf(ms)} ${clockTime(ms).slice(0, 5)}`;
}

/** 18:00, or Tue Nov 17 18:00 where that is another day than that of `from`. */
export function untilText(ms: number, from: number): string {
  const day = dayOf(ms) === dayOf(from) ? '' : `${new Date(ms).toDateString().slice(0, -5)} `;
  return `${day}${clockTime(ms).slice(0, 5)}`;
}

/** A cut may have gone through a character of two halves. */
function wellFormed(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}

/** Two letters for a name: its initials, or the first and last letter of one word. */
export function initials(name: string): string {
  const [first, second] = name.trim().split(/\s+/);
  if (!first) return '??';
  return `${first.charAt(0)}${second ? second.charAt(0) : first.charAt(first.length - 1)}`.toUpperCase();
}

/**
 * Two letters for each name, no two of them the same: the initials, or for a later name that would have those of an
 * earlier one the first of its own letters that is free.
 */
export function badgesOf(names: readonly string[]): ReadonlyMap<string, string> {
  const badges = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of names) {
    const letters = [...name.replace(/[^\p{L}\p{N}]/gu, '')];
    const others = letters.slice(1).map((letter) => `${letters[0]}${letter}`.toUpperCase());
    const badge = [initials(name), ...others].find((one) => !taken.has(one)) ?? initials(name);
    taken.add(badge);
    badges.set(name, badge);
  }
  return badges;
}

/** A text as a part of a pattern that matches nothing but it. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
