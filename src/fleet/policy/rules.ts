import { projectFolderOf } from '../../model/events.ts';
import { type LoadedRules, parseRules } from '../../rules/files/load.ts';
import { onlyTightening } from '../../rules/files/trust.ts';
import { wordMatch } from '../../rules/match/word-match.ts';
import type { Rule } from '../../rules/rule.ts';
import type { PolicyDocument, Target } from './document.ts';
import { createRemotes } from './remotes.ts';
import { filesFor, type PolicyMachine } from './target.ts';

/** A policy's rules for a machine. */
export function policyRules({ sets, version }: PolicyDocument, machine: PolicyMachine): LoadedRules {
  const remotes = createRemotes();
  const enforced = new Set<string>();
  const parts = filesFor(sets, machine).flatMap(({ target, files, observe }) =>
    Object.entries(files).map(([name, text]): LoadedRules => {
      const origin = { layer: 'fleet', pack: null, observing: observe } as const;
      const { rules, problems } = parseRules(text, `fleet/v${version}/${name}`, origin);
      if (!observe) for (const { id } of rules) enforced.add(id);
      const limited = rules.map((rule) => forTarget(rule, target, remotes));
      // An agent can write any remote into a repository's settings, so rules for remotes never allow anything.
      return { rules: target.repositories.length === 0 ? limited : onlyTightening(limited), problems };
    }),
  );
  return {
    rules: parts.flatMap(({ rules }) => rules).map((rule) => distinct(rule, enforced)),
    problems: parts.flatMap(({ problems }) => problems),
  };
}

/** In observe mode, the next version of a rule gets its own counters, which are stored by ID. */
function distinct(rule: Rule, enforced: ReadonlySet<string>): Rule {
  return rule.observing && enforced.has(rule.id) ? { ...rule, id: `${rule.id}/next` } : rule;
}

function forTarget(
  rule: Rule,
  { agents, repositories }: Target,
  remotes: ReturnType<typeof createRemotes>,
): Rule {
  if (agents.length === 0 && repositories.length === 0) return rule;
  const patterns = repositories.map((one) => wordMatch(one.toLowerCase()));
  const isMeant = (folder: string | null) =>
    folder !== null && remotes(folder).some((name) => patterns.some((matches) => matches(name)));
  return {
    ...rule,
    test: (facts) =>
      (agents.length === 0 || agents.includes(facts.event.source)) &&
      rule.test(facts) &&
      (patterns.length === 0 || isMeant(projectFolderOf(facts.event) ?? facts.cwd)),
  };
}
