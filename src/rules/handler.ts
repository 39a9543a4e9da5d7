import type { Handler } from '../engine/decide.ts';
import type { Opinion } from '../engine/record.ts';
import type { EventType, HookEvent } from '../model/events.ts';
import type { HookResponse } from '../model/responses.ts';
import { isTestRun } from '../shell/purpose.ts';
import type { RulesInForce } from './book.ts';
import { createFacts, type Facts, type World } from './facts.ts';
import type { RuleProblem } from './load.ts';
import type { SessionMemory } from './memory.ts';
import { reasonFor } from './reason.ts';
import type { Rule } from './rule.ts';
import type { RuleIndex } from './rule-index.ts';
import { placesWritten } from './writers.ts';

/** The rules that hold for an event: asked each time, so that a change takes effect on the next call. */
export type RulesFor = (event: HookEvent) => Pick<RulesInForce, 'index' | 'problems'>;

export interface RulesParts {
  readonly rulesFor: RulesFor;
  readonly world: World;
  readonly memory: SessionMemory;
  /** What a rule that cannot be evaluated comes to. */
  failed(event: HookEvent, what: string): HookResponse;
}

/** The rules as a handler. */
export function createRulesHandler({ rulesFor, world, memory, failed }: RulesParts): Handler {
  // One rule that cannot be evaluated costs that rule its opinion, not the others theirs.
  const ask = (rule: Rule, facts: Facts): Opinion | null => {
    try {
      return opinionOf(rule, facts);
    } catch (error) {
      const what = `rule ${rule.id}: ${error instanceof Error ? error.message : String(error)}`;
      return { kind: 'failure', by: rule.id, where: rule.where, response: failed(facts.event, what) };
    }
  };
  // Nobody knows what a rule that cannot be read would have forbidden.
  const unreadRules = (event: HookEvent, [problem]: readonly RuleProblem[]): Opinion | null => {
    if (!problem) return null;
    const response = failed(event, `a rule cannot be read: ${problem.where}: ${problem.message}`);
    return response.decision === 'none'
      ? null
      : { kind: 'failure', by: 'rules', where: problem.where, response };
  };
  return {
    name: 'rules',
    budgetMs: null,
    guards: true,
    decide(event) {
      const facts = createFacts(event, world, memory);
      const opinions: Opinion[] = [];
      const { index, problems } = rulesFor(event);
      const candidates = index.candidates(facts);
      const hear = (afterRefusal: boolean, heard: Opinion[]) => {
        for (const rule of candidates) {
          const opinion = rule.afterRefusal === afterRefusal ? ask(rule, facts) : null;
          if (opinion) heard.push(opinion);
        }
        return heard;
      };
      hear(false, opinions);
      const unread = unreadRules(event, problems);
      if (unread) opinions.push(unread);
      const isRefused = opinions.some(
        ({ observing, response }) => !observing && response.decision === 'deny',
      );
      if (isRefused && isAhead(event)) {
        memory.refused(event, world.now());
        // Told first: what comes after many refusals is not one more of them.
        opinions.unshift(...hear(true, []));
      }
      watchWrites(index, facts, isRefused);
      memory.note(event, () => isTestRun(facts.analysis()));
      return opinions;
    },
  };
}

const AHEAD: ReadonlySet<EventType> = new Set(['before_tool', 'permission_request']);

/** A call that has not happened yet. */
function isAhead({ type }: HookEvent): boolean {
  return AHEAD.has(type);
}

/** Remembers what a session is about to write, where a rule wants to know it. */
function watchWrites({ conflicts }: Pick<RuleIndex, 'conflicts'>, facts: Facts, isRefused: boolean): void {
  if (conflicts.length === 0) return;
  const { event, memory, world } = facts;
  if (event.type === 'session_end') memory.writers.leave(event);
  if (isRefused || !(isAhead(event) || event.type === 'after_tool')) return;
  for (const sort of conflicts) memory.writers.note(event, placesWritten(facts, sort), world.now());
}

function opinionOf(rule: Rule, facts: Facts): Opinion | null {
  const { event, world } = facts;
  if (rule.until !== null && world.now() > rule.until) return null;
  if (!rule.test(facts)) return null;
  // Asked last: the answer is in a file.
  if (rule.protected && world.unlocked()) return null;
  if (rule.limit && facts.memory.count(rule.id, rule.limit.per, event, world.now()) <= rule.limit.count)
    return null;
  if (isTurnEndAgain(rule, facts)) return null;
  const response = applicable(rule, event);
  return (
    response && {
      kind: 'rule',
      by: rule.id,
      where: rule.where,
      response,
      ...(rule.observing ? { observing: true } : {}),
    }
  );
}

/** "Do not stop yet" without end would go on for ever: after so many times the agent may stop. */
function isTurnEndAgain(rule: Rule, { event, memory, world }: Facts): boolean {
  if (rule.response.decision !== 'deny' || !('stopHookActive' in event)) return false;
  if (rule.repeat === 1) return event.stopHookActive;
  return memory.count(`${rule.id}\0turn end`, 'turn', event, world.now()) > rule.repeat;
}

/** The part of a rule's response that fits this event. */
function applicable(rule: Rule, event: HookEvent): HookResponse | null {
  const { decision } = rule.response;
  const reason = reasonFor(rule, event);
  const worded = reason === undefined ? {} : { reason };
  if (rule.tellsOn.has(event.type)) return { ...rule.response, ...worded };
  return decision === 'none' ? null : { decision, ...worded };
}
