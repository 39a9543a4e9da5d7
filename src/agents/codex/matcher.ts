/** Names of other clients that its own tools answer to (0.166.0). */
const ALIASES: ReadonlyMap<string, readonly string[]> = new Map([
  ['apply_patch', ['Write', 'Edit']],
  ['spawn_agent', ['Agent']],
]);

/** Plain words are exact alternatives; everything else is a pattern that may match anywhere. */
export function matches(_event: string, subject: string | null, matcher: string | undefined): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*' || subject === null) return true;
  const names = [subject, ...(ALIASES.get(subject) ?? [])];
  if (/^[\w|]+$/.test(matcher)) return matcher.split('|').some((one) => names.includes(one));
  try {
    const pattern = new RegExp(matcher);
    return names.some((name) => pattern.test(name));
  } catch {
    return false;
  }
}
