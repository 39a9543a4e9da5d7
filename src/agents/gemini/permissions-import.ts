import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import * as v from 'valibot';
import { HooklineError } from '../../model/errors.ts';
import {
  commandDraft,
  type DraftDecision,
  decided,
  type ImportNote,
  type RuleDraft,
  textDraft,
} from '../../model/rule-drafts.ts';
import type { PermissionImport } from '../permissions.ts';
import { canonicalToolName } from './tools.ts';

const words = v.union([v.string(), v.array(v.string())]);
const ruleWire = v.looseObject({
  toolName: v.optional(words),
  mcpName: v.optional(v.string()),
  commandPrefix: v.optional(words),
  commandRegex: v.optional(v.string()),
  argsPattern: v.optional(v.string()),
  subagent: v.optional(v.string()),
  toolAnnotations: v.optional(v.unknown()),
  decision: v.picklist(['allow', 'deny', 'ask_user']),
  priority: v.optional(v.number(), 0),
  denyMessage: v.optional(v.string()),
  modes: v.optional(v.array(v.string()), []),
  interactive: v.optional(v.boolean()),
  allowRedirection: v.optional(v.boolean()),
});
type RuleWire = v.InferOutput<typeof ruleWire>;
const file = v.looseObject({ rule: v.optional(v.array(v.unknown()), []) });

const DECISIONS = { allow: 'allow', deny: 'deny', ask_user: 'ask' } as const satisfies Record<
  string,
  DraftDecision
>;

/** Policy files of Gemini CLI, as rules that hold on every agent. */
export const permissions: PermissionImport = {
  files({ home, cwd }) {
    return [join(home, '.gemini/policies'), join(cwd, '.gemini/policies')]
      .filter((folder) => existsSync(folder))
      .flatMap((folder) =>
        readdirSync(folder)
          .filter((name) => name.endsWith('.toml'))
          .sort()
          .map((name) => join(folder, name)),
      );
  },
  read(text, path) {
    const { rule: entries, ...others } = v.parse(file, tomlOf(text, path));
    const rules: RuleDraft[] = [];
    const notes: ImportNote[] = [];
    for (const [at, entry] of entries.entries()) {
      const parsed = v.safeParse(ruleWire, entry);
      const what = `rule ${at + 1}`;
      if (!parsed.success) {
        notes.push({ what, why: `cannot be read: ${parsed.issues[0].message}` });
        continue;
      }
      const { rule, why } = carried(parsed.output);
      if (rule) rules.push({ id: `gemini/${at + 1}`, ...rule });
      for (const one of why) notes.push({ what, why: one });
    }
    for (const key of Object.keys(others)) notes.push({ what: key, why: 'has no counterpart' });
    if (hasOverrides(entries)) {
      notes.push({
        what: 'priority',
        why: 'here the stricter rule wins whatever its priority: a permission does not lift a refusal',
      });
    }
    return { rules, notes };
  },
};

function tomlOf(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new HooklineError('SETTINGS_UNREADABLE', `${path}: not TOML`, { cause: error });
  }
}

/** A permission that stands above a refusal is one that could lift it there. */
function hasOverrides(entries: readonly unknown[]): boolean {
  const rules = entries.flatMap((entry) => (v.is(ruleWire, entry) ? [v.parse(ruleWire, entry)] : []));
  return rules.some(
    (loose) =>
      loose.decision === 'allow' &&
      rules.some((strict) => strict.decision !== 'allow' && strict.priority < loose.priority),
  );
}

function carried(wire: RuleWire): { rule: RuleDraft | null; why: string[] } {
  const decision = DECISIONS[wire.decision];
  const narrowing = (['argsPattern', 'subagent', 'toolAnnotations', 'interactive'] as const).filter(
    (key) => wire[key] !== undefined,
  );
  const conditions = [...narrowing, ...(wire.modes.length > 0 ? ['modes'] : [])];
  // Without a condition a permission would cover more than it did, and a refusal by arguments would refuse all.
  if (conditions.length > 0 && (decision === 'allow' || wire.argsPattern !== undefined))
    return {
      rule: null,
      why: [`${conditions.join(', ')} cannot be said here, and without it the rule is another`],
    };
  const why = conditions.map((key) => `holds whatever ${key} says`);
  const reason = wire.denyMessage ?? 'Of the imported policies.';
  if (wire.commandPrefix !== undefined) {
    const prefixes = [wire.commandPrefix].flat().map((prefix) => prefix.trim());
    if (wire.allowRedirection && decision === 'allow') why.push('a redirection is asked about all the same');
    return { rule: commandDraft(prefixes, decision, reason), why };
  }
  if (wire.commandRegex !== undefined) {
    if (decision === 'allow')
      return {
        rule: null,
        why: ['a permission by a regular expression is not carried over: it could widen'],
      };
    const rule = textDraft(`^(?:${wire.commandRegex})`, decision, reason);
    return rule
      ? { rule, why: [...why, 'is compared with the text, so that another spelling gets past it'] }
      : { rule: null, why: ['has a regular expression that cannot be read'] };
  }
  return { rule: { ...toolCondition(wire), ...decided(decision, reason) }, why };
}

function toolCondition({ toolName, mcpName }: RuleWire): RuleDraft {
  const names = toolName === undefined ? [] : [toolName].flat();
  if (mcpName !== undefined) {
    const tools = names.length === 0 ? ['*'] : names;
    return { mcp: tools.map((tool) => `${mcpName}/${tool}`) };
  }
  if (names.length === 0 || names.includes('*')) return { tool: '*' };
  return { tool: names.map(canonicalToolName) };
}
