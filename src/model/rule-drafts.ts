/** A rule in the format of a rule file. */
export type RuleDraft = Readonly<Record<string, unknown>>;

/** Something that is not imported, or not exactly. */
export interface ImportNote {
  readonly what: string;
  readonly why: string;
}

export interface ImportedRules {
  readonly rules: readonly RuleDraft[];
  readonly notes: readonly ImportNote[];
}

export type DraftDecision = 'allow' | 'ask' | 'deny';

/** `deny: reason` and similar. */
export function decided(decision: DraftDecision, why: string): RuleDraft {
  return decision === 'allow' ? { allow: true } : { [decision]: why };
}

/** The id of a rule imported from an entry of an agent's permissions. */
export function draftId(agent: string, decision: DraftDecision, entry: string): string {
  const name = entry.replace(/[^\w.-]+/g, '-').replace(/^-+|-+$/g, '') || 'rule';
  return `${agent}/${decision}/${name}`;
}

/**
 * A rule about commands that begin with these words. A permission also compares the text, because the parsed pattern
 * alone would cover other orders of flags, and because it covers one command, not several in a line.
 */
export function commandDraft(
  prefixes: readonly string[],
  decision: DraftDecision,
  why: string,
  exact = false,
): RuleDraft {
  const command = prefixes.length === 1 ? prefixes[0] : [...prefixes];
  if (decision !== 'allow') return { command, ...decided(decision, why) };
  const texts = prefixes.flatMap((prefix) => [
    `tool.command == ${JSON.stringify(prefix)}`,
    ...(exact ? [] : [`tool.command.startsWith(${JSON.stringify(`${prefix} `)})`]),
  ]);
  return { command, when: `commands.size() == 1 && (${texts.join(' || ')})`, ...decided(decision, why) };
}

/** A rule about the text of a command; null for an unsupported expression. */
export function textDraft(expression: string, decision: 'ask' | 'deny', why: string): RuleDraft | null {
  if (!isExpression(expression)) return null;
  return {
    tool: 'Bash',
    when: `tool.command.matches(${JSON.stringify(expression)})`,
    ...decided(decision, why),
  };
}

export function isExpression(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
