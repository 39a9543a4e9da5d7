import type { Handler } from '../model/deciding.ts';
import { messageOf } from '../model/errors.ts';
import { CALLS_AHEAD, type HookEvent } from '../model/events.ts';
import { isGuarded } from '../model/failure.ts';
import type { Opinion } from '../model/recording.ts';
import { type HookResponse, none } from '../model/responses.ts';
import { spent } from '../model/turn-end.ts';
import { exitCodeTellsTests, isTestRun } from '../shell/traits/purpose.ts';
import { createFacts, type Facts, type World } from './facts.ts';
import type { RuleProblem } from './files/load.ts';
import { TooLongError } from './match/steps.ts';
import { inWordsFor, mergeReasons, reasonFor } from './reason.ts';
import type { Rule } from './rule.ts';
import type { RuleIndex } from './rule-index.ts';
import type { RulesInForce } from './rule-set.ts';
import { makingOf } from './session/made.ts';
import type { SessionMemory } from './session/memory.ts';
import { filesLeftBy } from './session/session-files.ts';
import { placesWritten } from './session/write-conflicts.ts';
import { createTimedMatcher, type TimeLimits } from './timed-matcher.ts';
import { opinionsOnWritten } from './written/opinions.ts';

/** Looks up the active rules for each event, so that a change applies to the next call. */
type RulesFor = (event: HookEvent) => Pick<RulesInForce, 'index' | 'problems'>;

interface RulesParts {
  readonly rulesFor: RulesFor;
  /** True if that reads files now. */
  readonly isStale?: (event: HookEvent) => boolean;
  readonly world: World;
  readonly memory: SessionMemory;
  /** The response to a rule that can't be evaluated. */
  failed(event: HookEvent, what: string): HookResponse;
  /** Overrides the usual limits. */
  readonly limits?: TimeLimits;
}

/** Longer than reading rules takes on a busy machine. Nothing can be answered while they are read. */
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
      const matches = createTimedMatcher(limits);
      const evaluate = (afterRefusal: boolean, found: Opinion[]) => {
        for (const rule of candidates) {
          const opinion = rule.afterRefusal === afterRefusal ? ask(rule, facts, matches, failed) : null;
          if (opinion) found.push(opinion);
        }
        return found;
      };
      evaluate(false, opinions);
      if (!opinions.some(isBlocking)) opinions.push(...opinionsOnWritten(facts, index, matches));
      const unread = invalidRulesOpinion(event, problems, failed);
      if (unread) opinions.push(unread);
      const isRefused = opinions.some(
        ({ observing, response }) => !observing && response.decision === 'deny',
      );
      if (isRefused && isBeforeCall(event)) {
        memory.refused(event, world.now());
        // Evaluated first, because a decision after many denials does not count as another one.
        opinions.unshift(...evaluate(true, []));
      }
      watchWrites(index, facts, isRefused);
      watchFiles(facts, isRefused);
      memory.note(event, () => provesTests(facts));
      return mergeReasons(opinions);
    },
  };
}

/** True for ask and deny; an observing rule does neither. */
function isBlocking({ observing, response: { decision } }: Opinion): boolean {
  return !observing && decision !== 'none' && decision !== 'allow';
}

/** True for a command line whose exit code shows that tests passed. */
function provesTests(facts: Facts): boolean {
  const command = facts.tool?.command ?? null;
  return command !== null && isTestRun(facts.analysis()) && exitCodeTellsTests(command);
}

/** A rule that can't be evaluated loses only its own opinion. */
function ask(rule: Rule, facts: Facts, matches: Matches, failed: RulesParts['failed']): Opinion | null {
  try {
    return opinionOf(rule, facts, matches);
  } catch (error) {
    if (isUnlocked(rule, facts)) return null;
    const what = `rule ${rule.id}: ${messageOf(error)}`;
    const isTooLong = error instanceof TooLongError;
    const stopped = isTooLong || isGuarded(facts.event.type) ? treatAsMatch(rule, what) : null;
    return {
      kind: 'failure',
      by: rule.id,
      where: rule.where,
      response: stopped ?? (isTooLong ? none() : failed(facts.event, what)),
      ...(stopped && rule.observing ? { observing: true } : {}),
    };
  }
}

/** Counts as a match if evaluation fails, because the agent controls the input and could break a rule on purpose. */
function treatAsMatch({ response: { decision } }: Rule, what: string): HookResponse | null {
  if (decision !== 'deny' && decision !== 'ask') return null;
  return { decision, reason: `Hookline couldn't evaluate this rule (${what}), so it counts as a match.` };
}

/** True if a person has unlocked what the rule protects. */
function isUnlocked(rule: Rule, { world }: Facts): boolean {
  return rule.protected && world.unlocked();
}

/** An invalid rule might have denied this call, so the failure mode decides. */
function invalidRulesOpinion(
  event: HookEvent,
  [problem]: readonly RuleProblem[],
  failed: RulesParts['failed'],
): Opinion | null {
  if (!problem) return null;
  const response = failed(event, `a rule is invalid: ${problem.where}: ${problem.message}`);
  return response.decision === 'none'
    ? null
    : { kind: 'failure', by: 'rules', where: problem.where, response };
}

/** True for a call that has not happened yet. */
function isBeforeCall({ type }: HookEvent): boolean {
  return CALLS_AHEAD.has(type);
}

/** Remembers what a session is about to write, if a rule needs it. */
function watchWrites({ conflicts }: Pick<RuleIndex, 'conflicts'>, facts: Facts, isRefused: boolean): void {
  if (conflicts.length === 0) return;
  const { event, memory, world } = facts;
  if (event.type === 'session_end') memory.writers.leave(event);
  if (isRefused || !(isBeforeCall(event) || event.type === 'after_tool')) return;
  for (const sort of conflicts) memory.writers.note(event, placesWritten(facts, sort), world.now());
}

/** Remembers the files that a call leaves if it was not denied, for later calls. */
function watchFiles(facts: Facts, isRefused: boolean): void {
  const { event, memory, world } = facts;
  if (event.type === 'session_end') {
    memory.files.leave(event);
    memory.made.leave(event);
  } else if (event.type === 'after_tool') {
    memory.made.settle(event, world);
    memory.pages.note(event);
  } else if (!isRefused && isBeforeCall(event)) {
    memory.pages.note(event);
    memory.made.expect(event, makingOf(facts));
    memory.files.note(event, filesLeftBy(facts), world.now());
  }
}

type Matches = ReturnType<typeof createTimedMatcher>;

function opinionOf(rule: Rule, facts: Facts, matches: Matches): Opinion | null {
  const { event, world } = facts;
  if (rule.until !== null && world.now() > rule.until) return null;
  if (!matches(rule, facts)) return null;
  if (isUnlocked(rule, facts)) return null;
  if (rule.limit && facts.memory.count(rule.id, rule.limit.per, event, world.now()) <= rule.limit.count)
    return null;
  const isAgain = isTurnEndAgain(rule, facts);
  const response = isAgain && rule.observing ? null : applicable(inWordsFor(rule, facts), event);
  if (response === null) return null;
  const opinion: Opinion = { kind: 'rule', by: rule.id, where: rule.where, response };
  if (isAgain) return spent(opinion, rule.repeat);
  return rule.observing ? { ...opinion, observing: true } : opinion;
}

/** Requiring the agent to continue could repeat forever, so after this many times it may stop. */
function isTurnEndAgain(rule: Rule, { event, memory, world }: Facts): boolean {
  if (rule.response.decision !== 'deny' || !('stopHookActive' in event)) return false;
  if (rule.repeat === 1) return event.stopHookActive;
  return memory.count(`${rule.id}\0turn end`, 'turn', event, world.now()) > rule.repeat;
}

/** The part of a rule's response that fits this event. */
function applicable(rule: Rule, event: HookEvent): HookResponse | null {
  const { decision } = rule.response;
  const words = reasonFor(rule, event);
  if (rule.tellsOn.has(event.type)) return { ...rule.response, ...words };
  return decision === 'none' ? null : { decision, ...words };
}
