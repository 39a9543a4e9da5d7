import { AGENTS } from '../agents/_registry.ts';
import { DecodeError } from '../model/errors.ts';
import { isToolEvent } from '../model/events.ts';
import { suggestion } from '../model/suggestion.ts';
import { remember, rememberPer } from '../platform/bounded.ts';
import { newIdOf } from '../rules/gone.ts';
import { noSuchPack, packEffects, packNames, packRuleIds } from '../rules/pack.ts';
import { type RuleFinding, ruleFindings } from '../rules/review/remarks.ts';
import type { RulesInForce } from '../rules/rule-set.ts';
import type { Config } from './config.ts';

/** Likely mistakes in active rules, and in what the settings say of rules and packs. */
export function ruleRemarks(
  {
    rules,
    unknownDisabledIds: offInVain,
    untrustedRules: waiting,
  }: Pick<RulesInForce, 'rules' | 'unknownDisabledIds' | 'untrustedRules'>,
  { packs, rulesOff }: Pick<Config, 'packs' | 'rulesOff'>,
): readonly RuleFinding[] {
  return [
    ...packRemarks(packs),
    ...goneRemarks(rulesOff),
    ...offRemarks(offInVain, () => rules.map(({ id }) => id)),
    ...findingsIn(rules),
    ...waiting.map(waitingRemark),
  ];
}

/** Thousands of rules take a second, in which no call is answered; they are the same list until one changes. */
const findingsIn = rememberPer((rules: RulesInForce['rules']) =>
  ruleFindings(rules, { isNativeTool, effectNames }),
);

/** A rule that does more than deny or ask stays inactive until its project is trusted. */
function waitingRemark({ id, where }: RulesInForce['untrustedRules'][number]): RuleFinding {
  return {
    where,
    message: `rule ${id}: inactive until you run \`hookline trust\` in this project`,
    never: false,
  };
}

/** One that is to be on is a problem already, because it would guard something. */
function packRemarks(packs: Config['packs']): readonly RuleFinding[] {
  const names = packNames();
  return Object.keys(packs).flatMap((name) =>
    packs[name] !== 'off' || names.includes(name)
      ? []
      : [{ where: 'config.yaml', message: `packs: ${noSuchPack(name)}`, never: false }],
  );
}

/** They go on doing what they did; who reads them should find the rule. */
function goneRemarks(ids: readonly string[]): readonly RuleFinding[] {
  return ids.flatMap((id) => {
    const now = newIdOf(id);
    if (now === null) return [];
    const message = `rulesOff: ${id} is now a part of ${now}, and that part stays off; ${now} switches all of it off`;
    return [{ where: 'config.yaml', message, never: false }];
  });
}

/** Another project may have such a rule, and a pack that is off has rules as well. */
function offRemarks(ids: readonly string[], others: () => readonly string[]): readonly RuleFinding[] {
  if (ids.length === 0) return [];
  const ofPacks = packRuleIds();
  return ids
    .filter((id) => !ofPacks.includes(id))
    .map((id) => {
      const hint = suggestion(id, [...ofPacks, ...others()]) ?? '`hookline rules list --all` shows the ids';
      return {
        where: 'config.yaml',
        message: `rulesOff: no rule here has the id "${id}"; ${hint}`,
        never: false,
      };
    });
}

/** Whether an agent knows this name of a tool, and so has another word for it. */
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

/** What packs name after this kind. */
const effectNames = remember(
  (kind: string): readonly string[] =>
    packEffects()
      .map((words) => words.trim().split(/\s+/))
      .flatMap(([first, ...names]) => (first === kind ? names : [])),
  REMEMBERED_KINDS,
);
