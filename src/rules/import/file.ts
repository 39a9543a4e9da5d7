import { stringify } from 'yaml';
import type { ImportedRules, ImportNote, RuleDraft } from '../../model/rule-drafts.ts';
import { parseRules } from '../files/load.ts';

interface RuleFile {
  /** Null if nothing could be imported. */
  readonly text: string | null;
  readonly count: number;
  readonly notes: readonly ImportNote[];
}

/** A rule file of imported rules. A rule that could not be read back is left out and reported. */
export function ruleFileOf(imported: readonly ImportedRules[], from: readonly string[]): RuleFile {
  const notes = imported.flatMap((one) => one.notes);
  const kept: RuleDraft[] = [];
  for (const rule of withOwnIds(imported.flatMap((one) => one.rules))) {
    const [problem] = parseRules(stringify({ rules: [rule] }), 'import').problems;
    if (problem) notes.push({ what: String(rule.id), why: `is invalid: ${problem.message}` });
    else kept.push(rule);
  }
  if (kept.length === 0) return { text: null, count: 0, notes };
  const head = from.map((path) => `# Imported from ${path}\n`).join('');
  const body = kept.map((rule) => stringify({ rules: [rule] }, { lineWidth: 0 }).replace('rules:\n', ''));
  return { text: `${head}rules:\n${body.join('\n')}`, count: kept.length, notes };
}

function withOwnIds(rules: readonly RuleDraft[]): RuleDraft[] {
  const seen = new Map<string, number>();
  return rules.map((rule) => {
    const id = String(rule.id);
    const times = (seen.get(id) ?? 0) + 1;
    seen.set(id, times);
    return times === 1 ? rule : { ...rule, id: `${id}-${times}` };
  });
}
