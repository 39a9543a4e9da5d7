import type { Handler } from '../model/deciding.ts';
import { messageOf } from '../model/errors.ts';
import { CALLS_AHEAD, type HookEvent } from '../model/events.ts';
import { isGuarded } from '../model/failure.ts';
import type { Opinion } from '../model/recording.ts';
import { type HookResponse, none } from '../model/responses.ts';
import { spent } from '../model/turn-end.ts';
import { exitCodeTellsTests, isTestRun } from '../shell/traits/purpose.ts';
import { createEffort, type EffortLimits } from './effort.ts';
import { createFacts, type Facts, type World } from './facts.ts';
import type { RuleProblem } from './files/load.ts';
import { TooLongError } from './match/steps.ts';
import { folded, inWordsFor, wordsFor } from './reason.ts';
import type { Rule } from './rule.ts';
import type { RuleIndex } from './rule-index.ts';
import type { RulesInForce } from './rule-set.ts';
import { leftBy } from './session/files.ts';
import { makingOf } from './session/made.ts';
import type { SessionMemory } from './session/memory.ts';
import { placesWritten } from './session/writers.ts';
import { opinionsOnWritten } from './written/opinions.ts';

/** The rules in force for an event: asked each time, so that a change takes effect on the next call. */
type RulesFor = (event: HookEvent) => Pick<RulesInForce, 'index' | 'problems'>;

interface RulesParts {
  readonly rulesFor: RulesFor;
  /** Whether that reads files now. */
  readonly isStale?: (event: HookEvent) => boolean;
  readonly world: World;
  readonly memory: SessionMemory;
  /** What a rule that cannot be evaluated comes to. */
  failed(event: HookEvent, what: string): HookResponse;
  /** Other limits than the usual ones. */
  readonly limits?: EffortLimits;
}

/** Longer than rules take to read on a machine that is busy. While they are read, nothing else can be said. */
export const READING_MS = 30_000;

/** The rules as a handler. */
export function createRulesHandler(parts: RulesParts): Handler {
  const { rulesFor, isStale = () => false, world, memory, failed, limits } = parts;
  return {
    name: 'rules',
    budgetMs: null,
    guards: true,
    decide(event, asking) {
      if (asking?.busy && isStale(event)) asking.busy(READING_MS);
      const opinions: Opinion[] = [];
      const { index, problems } = rulesFor(event);
      const facts = createFacts(event, world, memory, problems.length > 0 ? null : index.guarded);
      const candidates = index.candidates(facts);
      const matches = createEffort(limits);
      const hear = (afterRefusal: boolean, heard: Opinion[]) => {
        for (const rule of candidates) {
          const opinion = rule.afterRefusal === afterRefusal ? ask(rule, facts, matches, failed) : null;
          if (opinion) heard.push(opinion);
        }
        return heard;
      };
      hear(false, opinions);
      if (!opinions.some(stops)) opinions.push(...opinionsOnWritten(facts, index, matches));
      const unread = unreadRules(event, problems, failed);
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
      watchFiles(facts, isRefused);
      memory.note(event, () => provesTests(facts));
      return folded(opinions);
    },
  };
}

/** Whether it asks or refuses; what only observes does neither. */
function stops({ observing, response: { decision } }: Opinion): boolean {
  return !observing && decision !== 'none' && decision !== 'allow';
}

/** A command line that says, by its exit code, that tests passed. */
function provesTests(facts: Facts): boolean {
  const command = facts.tool?.command ?? null;
  return command !== null && isTestRun(facts.analysis()) && exitCodeTellsTests(command);
}

/** One rule that cannot be evaluated costs that rule its opinion, not the others theirs. */
function ask(rule: Rule, facts: Facts, matches: Matches, failed: RulesParts['failed']): Opinion | null {
  try {
    return opinionOf(rule, facts, matches);
  } catch (error) {
    if (isLifted(rule, facts)) return null;
    const what = `rule ${rule.id}: ${messageOf(error)}`;
    const isTooLong = error instanceof TooLongError;
    const stopped = isTooLong || isGuarded(facts.event.type) ? asIfMatched(rule, what) : null;
    return {
      kind: 'failure',
      by: rule.id,
      where: rule.where,
      response: stopped ?? (isTooLong ? none() : failed(facts.event, what)),
      ...(stopped && rule.observing ? { observing: true } : {}),
    };
  }
}

/** What a call says is the agent's choice: it must not get past a rule that forbids by being too long, or by breaking it. */
function asIfMatched({ response: { decision } }: Rule, what: string): HookResponse | null {
  if (decision !== 'deny' && decision !== 'ask') return null;
  return { decision, reason: `Hookline could not judge this (${what}), so the rule counts as matching.` };
}

/** A person has unlocked what it protects. */
function isLifted(rule: Rule, { world }: Facts): boolean {
  return rule.protected && world.unlocked();
}

/** Nobody knows what a rule that cannot be read would have forbidden. */
function unreadRules(
  event: HookEvent,
  [problem]: readonly RuleProblem[],
  failed: RulesParts['failed'],
): Opinion | null {
  if (!problem) return null;
  const response = failed(event, `a rule cannot be read: ${problem.where}: ${problem.message}`);
  return response.decision === 'none'
    ? null
    : { kind: 'failure', by: 'rules', where: problem.where, response };
}

/** A call that has not happened yet. */
function isAhead({ type }: HookEvent): boolean {
  return CALLS_AHEAD.has(type);
}

/** Remembers what a session is about to write, where a rule wants to know it. */
function watchWrites({ conflicts }: Pick<RuleIndex, 'conflicts'>, facts: Facts, isRefused: boolean): void {
  if (conflicts.length === 0) return;
  const { event, memory, world } = facts;
  if (event.type === 'session_end') memory.writers.leave(event);
  if (isRefused || !(isAhead(event) || event.type === 'after_tool')) return;
  for (const sort of conflicts) memory.writers.note(event, placesWritten(facts, sort), world.now());
}

/** Remembers what a call that nobody refused leaves behind, for the calls after it. */
function watchFiles(facts: Facts, isRefused: boolean): void {
  const { event, memory, world } = facts;
  if (event.type === 'session_end') {
    memory.files.leave(event);
    memory.made.leave(event);
  } else if (event.type === 'after_tool') {
    memory.made.settle(event, world);
    memory.pages.note(event);
  } else if (!isRefused && isAhead(event)) {
    memory.pages.note(event);
    memory.made.expect(event, makingOf(facts));
    memory.files.note(event, leftBy(facts), world.now());
  }
}

type Matches = ReturnType<typeof createEffort>;

function opinionOf(rule: Rule, facts: Facts, matches: Matches): Opinion | null {
  const { event, world } = facts;
  if (rule.until !== null && world.now() > rule.until) return null;
  if (!matches(rule, facts)) return null;
  if (isLifted(rule, facts)) return null;
  if (rule.limit && facts.memory.count(rule.id, rule.limit.per, event, world.now()) <= rule.limit.count)
    return null;
  const isAgain = isTurnEndAgain(rule, facts);
  const response = isAgain && rule.observing ? null : applicable(inWordsFor(rule, facts), event);
  if (response === null) return null;
  const opinion: Opinion = { kind: 'rule', by: rule.id, where: rule.where, response };
  if (isAgain) return spent(opinion, rule.repeat);
  return rule.observing ? { ...opinion, observing: true } : opinion;
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
  const words = wordsFor(rule, event);
  if (rule.tellsOn.has(event.type)) return { ...rule.response, ...words };
  return decision === 'none' ? null : { decision, ...words };
}
