import type { Handler } from '../engine/decide.ts';
import type { Opinion } from '../engine/record.ts';
import type { HookEvent } from '../model/events.ts';
import type { HookResponse } from '../model/responses.ts';
import { matches } from './match.ts';
import type { Rule } from './rule.ts';

/** The rules as a handler. `current` is asked each time, so that a reload takes effect on the next call. */
export function createRulesHandler(current: () => readonly Rule[]): Handler {
  return {
    name: 'rules',
    budgetMs: null,
    guards: true,
    decide: (event) => current().flatMap((rule) => opinionOf(rule, event) ?? []),
  };
}

function opinionOf(rule: Rule, event: HookEvent): Opinion | null {
  if (!matches(rule, event)) return null;
  const response = applicable(rule, event);
  return response && { kind: 'rule', by: rule.id, where: rule.where, response };
}

/** The part of a rule's response that fits this event. */
function applicable(rule: Rule, event: HookEvent): HookResponse | null {
  const { decision, reason } = rule.response;
  // An unconditional "do not stop yet" would go on for ever: an agent that already went on once may stop.
  if (decision === 'deny' && 'stopHookActive' in event && event.stopHookActive) return null;
  if (rule.tellsOn.has(event.type)) return rule.response;
  if (decision === 'none') return null;
  return reason === undefined ? { decision } : { decision, reason };
}
