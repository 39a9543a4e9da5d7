/**
 * Perl runs code in these, even inside a pattern or a replacement: code blocks, and anything in the brackets after a
 * variable.
 */
const RUNS = /[$@][\w:]*\s*(?:->\s*)?[[{]|\(\?\??\{/;

/**
 * True if a Perl program consists only of `s/…/…/`, `y/…/…/` and `tr/…/…/`, whose content is text. The flag `e`
 * excludes it, because it runs the replacement.
 */
export function onlySubstitutes(code: string): boolean {
  if (RUNS.test(code) || !/^\s*(?:s|y|tr)[^\w\s]/.test(code)) return false;
  let at = 0;
  while (at < code.length) {
    const gap = /^[\s;]*/.exec(code.slice(at, at + 200))?.[0].length ?? 0;
    at += gap;
    if (at >= code.length) break;
    const end = gap === 200 ? null : endOfSubstitution(code, at);
    if (end === null) return false;
    at = end;
  }
  return true;
}

/** Position after the substitution that begins at `at`; null if none does. */
function endOfSubstitution(code: string, at: number): number | null {
  const verb = /^(?:s|y|tr)(?=[/#|,!~%])/.exec(code.slice(at, at + 3))?.[0];
  if (verb === undefined) return null;
  const delimiter = code.charAt(at + verb.length);
  let place = at + verb.length + 1;
  for (let part = 0; part < 2; part++) {
    const end = endOfPart(code, place, delimiter);
    if (end === null) return null;
    place = end;
  }
  const flags = /^[a-z]*/.exec(code.slice(place, place + 20))?.[0] ?? '';
  const next = code.charAt(place + flags.length);
  return flags.includes('e') || !/^[\s;]?$/.test(next) ? null : place + flags.length;
}

function endOfPart(code: string, from: number, delimiter: string): number | null {
  for (let at = from; at < code.length; at++) {
    if (code[at] === '\\') at++;
    else if (code[at] === delimiter) return at + 1;
  }
  return null;
}
