import { AGENTS } from '../agents/_registry.ts';
import { DecodeError } from '../model/errors.ts';
import { isToolEvent } from '../model/events.ts';
import { entryOf } from '../model/lookup.ts';
import { suggestion } from '../model/suggestion.ts';
import { remember, rememberPer } from '../platform/bounded.ts';
import { newIdOf } from '../rules/gone.ts';
import { noSuchPack, packEffects, packNames, packRuleIds } from '../rules/pack.ts';
import { type RuleFinding, ruleFindings } from '../rules/review/remarks.ts';
import type { RulesInForce } from '../rules/rule-set.ts';
import { type Config, FORMER_SETTINGS } from './config.ts';

/** Likely mistakes in active rules, and in the settings about rules and packs. */
export function ruleWarnings(
  {
    rules,
    unknownDisabledIds,
    untrustedRules,
  }: Pick<RulesInForce, 'rules' | 'unknownDisabledIds' | 'untrustedRules'>,
  { packs, disabledRules, former }: Pick<Config, 'packs' | 'disabledRules' | 'former'>,
): readonly RuleFinding[] {
  return [
    ...formerWarnings(former),
    ...packWarnings(packs),
    ...goneWarnings(disabledRules),
    ...offWarnings(unknownDisabledIds, () => rules.map(({ id }) => id)),
    ...findingsIn(rules),
    ...untrustedRules.map(untrustedWarning),
  ];
}

/** Thousands of rules take a second, in which no call is answered. The list stays the same until one changes. */
const findingsIn = rememberPer((rules: RulesInForce['rules']) =>
  ruleFindings(rules, { isNativeTool, effectNames }),
);

/** A rule that does more than deny or ask stays inactive until its project is trusted. */
function untrustedWarning({ id, where }: RulesInForce['untrustedRules'][number]): RuleFinding {
  return {
    where,
    message: `rule ${id}: inactive until you run \`hookline trust\` in this project`,
    never: false,
  };
}

function formerWarnings(names: Config['former']): readonly RuleFinding[] {
  return names.map((name) => ({
    where: 'config.yaml',
    message: `"${name}" is called "${entryOf(FORMER_SETTINGS, name)}" now; the old name still works`,
    never: false,
  }));
}

/** An unknown pack that is switched on is already an error, because it would guard something. */
function packWarnings(packs: Config['packs']): readonly RuleFinding[] {
  const names = packNames();
  return Object.keys(packs).flatMap((name) =>
    packs[name] !== 'off' || names.includes(name)
      ? []
      : [{ where: 'config.yaml', message: `packs: ${noSuchPack(name)}`, never: false }],
  );
}

/** They still work, but a reader should be able to find the rule. */
function goneWarnings(ids: readonly string[]): readonly RuleFinding[] {
  return ids.flatMap((id) => {
    const now = newIdOf(id);
    if (now === null) return [];
    const message = `disabledRules: ${id} is now a part of ${now}, and that part stays off; ${now} switches all of it off`;
    return [{ where: 'config.yaml', message, never: false }];
  });
}

/** Another project may have such a rule, and a disabled pack has rules too. */
function offWarnings(ids: readonly string[], others: () => readonly string[]): readonly RuleFinding[] {
  if (ids.length === 0) return [];
  const ofPacks = packRuleIds();
  return ids
    .filter((id) => !ofPacks.includes(id))
    .map((id) => {
      const hint = suggestion(id, [...ofPacks, ...others()]) ?? '`hookline rules list --all` shows the ids';
      return {
        where: 'config.yaml',
        message: `disabledRules: no rule here has the id "${id}"; ${hint}`,
        never: false,
      };
    });
}

/** True if an agent has a native tool with this name. */
function isNativeTool(tool: string): boolean {
  return [...AGENTS.values()].some((agent) => {
    const payload = agent.toolPayload({ id: tool, tool, input: {}, cwd: '/' });
    try {
      const event = agent.decode({ id: tool, receivedAt: 0, event: null, payload, env: {} });
      return isToolEvent(event) && event.tool.name !== tool;
    } catch (error) {
      if (error instanceof DecodeError) return false;
      throw error;
    }
  });
}

const REMEMBERED_KINDS = 100;

/** Effects that packs define with this name. */
const effectNames = remember(
  (kind: string): readonly string[] =>
    packEffects()
      .map((words) => words.trim().split(/\s+/))
      .flatMap(([first, ...names]) => (first === kind ? names : [])),
  REMEMBERED_KINDS,
);
