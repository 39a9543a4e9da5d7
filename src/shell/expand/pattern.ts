import { hasUnknown } from '../placeholders.ts';

const MAX_PATTERN = 64;
const MAX_STARS = 4;

/** A matcher for `*` and `?` patterns; null for long patterns and for brackets. */
export function globPattern(pattern: string): ((text: string) => boolean) | null {
  if (pattern.length > MAX_PATTERN || pattern.includes('[') || hasUnknown(pattern)) return null;
  const parts = pattern.split('*');
  if (parts.length > MAX_STARS + 1) return null;
  return (text) => matchParts(parts, text);
}

/** Matches each part at the first possible position, which is enough for `*`. The last part must end the text. */
function matchParts(parts: readonly string[], text: string): boolean {
  const [first = '', ...rest] = parts;
  if (!fits(first, text, 0)) return false;
  if (rest.length === 0) return text.length === first.length;
  let at = first.length;
  for (const [i, part] of rest.entries()) {
    if (i === rest.length - 1) {
      const start = text.length - part.length;
      return start >= at && fits(part, text, start);
    }
    while (at + part.length <= text.length && !fits(part, text, at)) at++;
    if (at + part.length > text.length) return false;
    at += part.length;
  }
  return true;
}

function fits(part: string, text: string, at: number): boolean {
  if (at + part.length > text.length) return false;
  for (let i = 0; i < part.length; i++) {
    if (part[i] !== '?' && part[i] !== text[at + i]) return false;
  }
  return true;
}
