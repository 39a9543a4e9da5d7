import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { HooklineError } from '../../model/errors.ts';
import {
  commandDraft,
  type DraftDecision,
  type ImportNote,
  type RuleDraft,
} from '../../model/rule-drafts.ts';
import type { PermissionImport } from '../permissions.ts';
import { type RuleCall, readRuleCalls } from './rules-file.ts';

const example = v.union([v.string(), v.array(v.string())]);
const prefixRule = v.object({
  pattern: v.pipe(v.array(v.union([v.string(), v.array(v.string())])), v.nonEmpty()),
  decision: v.optional(v.picklist(['allow', 'prompt', 'forbidden']), 'allow'),
  justification: v.optional(v.string()),
  match: v.optional(v.array(example), []),
  not_match: v.optional(v.array(example), []),
});

const DECISIONS = { allow: 'allow', prompt: 'ask', forbidden: 'deny' } as const satisfies Record<
  string,
  DraftDecision
>;

/** Exec-policy rules of Codex (`*.rules`), as rules that hold on every agent. */
export const permissions: PermissionImport = {
  files({ home, cwd, env }) {
    const folders = [join(env.CODEX_HOME || join(home, '.codex'), 'rules'), join(cwd, '.codex/rules')];
    return folders
      .filter((folder) => existsSync(folder))
      .flatMap((folder) =>
        readdirSync(folder)
          .filter((name) => name.endsWith('.rules'))
          .sort()
          .map((name) => join(folder, name)),
      );
  },
  read(text, path) {
    const { calls, problem } = readRuleCalls(text);
    if (problem !== null) throw new HooklineError('SETTINGS_UNREADABLE', `${path}: ${problem}`);
    const rules: RuleDraft[] = [];
    const notes: ImportNote[] = [];
    for (const call of calls) {
      const { rule, note } = carried(call, rules.length + 1);
      if (rule) rules.push(rule);
      if (note) notes.push({ what: `line ${call.line}: ${call.name}`, why: note });
    }
    return { rules, notes };
  },
};

function carried(call: RuleCall, number: number): { rule: RuleDraft | null; note?: string } {
  if (call.name !== 'prefix_rule') return { rule: null, note: 'has no counterpart' };
  const parsed = v.safeParse(prefixRule, call.args);
  if (!parsed.success) return { rule: null, note: `cannot be read: ${parsed.issues[0].message}` };
  const { pattern, decision, justification, match, not_match } = parsed.output;
  const prefixes = spelled(pattern);
  const why = justification ?? `${prefixes[0]} of the imported rules.`;
  const tests = { match: match.map(lineOf), pass: not_match.map(lineOf) };
  const id = `codex/${number}-${(prefixes[0] ?? '').replace(/[^\w.-]+/g, '-')}`;
  const strict = decision !== 'allow';
  // A pattern is found among the flags wherever they stand, so that what was no example of it may be one here.
  const kept = strict ? { match: tests.match, pass: [] } : tests;
  return {
    rule: {
      id,
      ...commandDraft(prefixes, DECISIONS[decision], why),
      ...(kept.match.length + kept.pass.length > 0 ? { tests: kept } : {}),
    },
    ...(strict
      ? { note: 'holds for other orders of the same words, and inside sh -c and the like, as well' }
      : {}),
  };
}

/** Every way in which the alternatives of a pattern can be put together. */
function spelled(pattern: readonly (string | readonly string[])[]): string[] {
  return pattern.reduce<string[]>(
    (begun, token) => {
      const words = (typeof token === 'string' ? [token] : token).map(quoted);
      return begun.flatMap((text) => words.map((word) => (text === '' ? word : `${text} ${word}`)));
    },
    [''],
  );
}

function lineOf(given: string | readonly string[]): string {
  return typeof given === 'string' ? given : given.map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
