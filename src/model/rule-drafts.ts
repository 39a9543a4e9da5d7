/** A rule as a rule file has it. */
export type RuleDraft = Readonly<Record<string, unknown>>;

/** Something that is not carried over, or not exactly. */
export interface ImportNote {
  readonly what: string;
  readonly why: string;
}

export interface ImportedRules {
  readonly rules: readonly RuleDraft[];
  readonly notes: readonly ImportNote[];
}

export type DraftDecision = 'allow' | 'ask' | 'deny';

/** `deny: why` and its like. */
export function decided(decision: DraftDecision, why: string): RuleDraft {
  return decision === 'allow' ? { allow: true } : { [decision]: why };
}

/** The id of a rule that was one entry of an agent's permissions. */
export function draftId(agent: string, decision: DraftDecision, entry: string): string {
  const name = entry.replace(/[^\w.-]+/g, '-').replace(/^-+|-+$/g, '') || 'rule';
  return `${agent}/${decision}/${name}`;
}

/**
 * A rule about commands that begin with these words. A permission is compared with the text as well, because the
 * parsed pattern alone also covers other orders of flags, and it is for one command, not for several in a line.
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

/** A rule about the text of a command; null where the expression is none that we can read. */
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
