/** Old names that still match (2.1.325). */
const FORMER: ReadonlyMap<string, string> = new Map([
  ['Task', 'Agent'],
  ['KillShell', 'TaskStop'],
  ['KillBash', 'TaskStop'],
  ['ListPeers', 'ListAgents'],
  ['Brief', 'SendUserMessage'],
]);

// These two have a narrower idea of what is a plain list.
const NARROW: ReadonlySet<string> = new Set(['FileChanged', 'StopFailure']);

/** Does 2.1.325 run an entry with this matcher? Lists are exact and case-sensitive, everything else is a pattern. */
export function matches(event: string, subject: string | null, matcher: string | undefined): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*' || subject === null) return true;
  const list = NARROW.has(event) ? /^[\w|]+$/ : /^[\w|, -]+$/;
  if (list.test(matcher)) {
    const names = matcher.split(/[|,]/).map((name) => name.trim());
    return names.some((name) => name === subject || FORMER.get(name) === subject);
  }
  const pattern = patternOf(matcher);
  return (
    pattern !== null &&
    (pattern.test(subject) || [...FORMER].some(([old, now]) => now === subject && pattern.test(old)))
  );
}

/** null for what the client takes for a pattern that matches nothing. */
export function patternOf(matcher: string): RegExp | null {
  try {
    return new RegExp(matcher);
  } catch {
    return null;
  }
}
