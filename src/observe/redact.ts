/**
 * Secrets by their form. Each pattern stays within characters that JSON does not escape, so that redacting the
 * serialised text cannot break it.
 */
const FORMS: readonly (readonly [kind: string, pattern: string])[] = [
  ['private-key', '-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*?(?:-----END [A-Z ]*PRIVATE KEY-----|(?="))'],
  ['anthropic-key', 'sk-ant-[A-Za-z0-9_-]{16,}'],
  ['openai-key', 'sk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,}'],
  ['github-token', '(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})'],
  ['gitlab-token', 'glpat-[A-Za-z0-9_-]{20,}'],
  ['aws-key-id', '(?:AKIA|ASIA)[A-Z0-9]{16}'],
  ['google-key', 'AIza[A-Za-z0-9_-]{35}'],
  ['slack-token', 'xox[abeoprs]-[A-Za-z0-9-]{10,}'],
  ['stripe-key', '[rs]k_(?:live|test)_[A-Za-z0-9]{20,}'],
  ['npm-token', 'npm_[A-Za-z0-9]{36}'],
  ['jwt', 'eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}'],
];

/** Secrets by what stands before them: the value goes, the name stays. */
const NAMED =
  /((?:authorization(?:\\*["'])?\s*[:=]\s*(?:\\*["'])?\s*(?:bearer|basic|token)\s+)|(?:\b[A-Za-z0-9_]*(?:password|passwd|secret|api_?key|access_?key|auth_?token|access_?token)(?:\\*["'])?\s*[:=]\s*(?:\\*["'])?))([^\s"'\\,;&{}[\]]{6,})/gi;

/** A URL's password. */
const IN_URL = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@"'\\]+:)([^\s/@"'\\]+)(@)/gi;

const ANY_FORM = new RegExp(FORMS.map(([, pattern]) => `(${pattern})`).join('|'), 'g');

/** Cheap to look for, and there whenever one of the dear patterns above could match. */
const NAME_HINT = /authorization|passw|secret|key|token/i;

/** The text with every secret we can tell replaced by its kind. Safe on JSON: the result still parses. */
export function redact(text: string): string {
  let safe = text.replace(ANY_FORM, kindOf);
  if (NAME_HINT.test(safe)) safe = safe.replace(NAMED, hideValue);
  if (safe.includes('://')) safe = safe.replace(IN_URL, '$1[redacted]$3');
  return safe;
}

function kindOf(...groups: unknown[]): string {
  return `[redacted:${FORMS[groups.slice(1).findIndex(Boolean)]?.[0] ?? 'secret'}]`;
}

function hideValue(whole: string, name: string, value: string): string {
  if (value.startsWith('[redacted') || value.startsWith('$')) return whole;
  // A value without quotes after a quoted name is JSON's own: it must stay a number, and the words hide nothing.
  const isBareJson = /["']\s*:\s*$/.test(name);
  if (!isBareJson) return `${name}[redacted]`;
  return /^-?\d/.test(value) ? `${name}0` : whole;
}
