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
  /** Whether that reads files now. */
  readonly isStale?: (event: HookEvent) => boolean;
  readonly world: World;
  readonly memory: SessionMemory;
  /** What a rule that cannot be evaluated comes to. */
  failed(event: HookEvent, what: string): HookResponse;
  /** Other limits than the usual ones. */
  readonly limits?: TimeLimits;
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
        // Told first: what comes after many refusals is not one more of them.
        opinions.unshift(...evaluate(true, []));
      }
      watchWrites(index, facts, isRefused);
      watchFiles(facts, isRefused);
      memory.note(event, () => provesTests(facts));
      return mergeReasons(opinions);
    },
  };
}

/** Whether it asks or refuses; what only observes does neither. */
function isBlocking({ observing, response: { decision } }: Opinion): boolean {
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

/** What a call says is the agent's choice: it must not get past a rule that forbids by being too long, or by breaking it. */
function treatAsMatch({ response: { decision } }: Rule, what: string): HookResponse | null {
  if (decision !== 'deny' && decision !== 'ask') return null;
  return { decision, reason: `Hookline couldn't evaluate this rule (${what}), so it counts as a match.` };
}

/** A person has unlocked what it protects. */
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

/** A call that has not happened yet. */
function isBeforeCall({ type }: HookEvent): boolean {
  return CALLS_AHEAD.has(type);
}

/** Remembers what a session is about to write, where a rule wants to know it. */
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

/** "Do not stop yet" without end would go on for ever: after so many times the agent may stop. */
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
