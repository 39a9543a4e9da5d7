import { parseRules } from '../files/load.ts';
import type { Rule } from '../rule.ts';

/**
 * How a rule file protects less than before, one line per rule; empty if it provably protects no less. Compares only
 * ids and conditions, so a rewording counts as weaker.
 */
export function weakenedRules(before: string, after: string, file: string): readonly string[] {
  const was = parseRules(before, file).rules;
  const is = parseRules(after, file).rules;
  const lost = was.filter((rule) => isGuard(rule) && !is.some((one) => covers(one, rule)));
  const gained = is.filter((rule) => hasPowers(rule) && !was.some((one) => allowsAsMuch(one, rule)));
  const removed = lost.filter(({ id }) => !is.some((one) => one.id === id));
  const added = gained.filter(({ id }) => !was.some((one) => one.id === id));
  const changed = new Set(
    [...lost, ...gained]
      .filter((rule) => !removed.includes(rule) && !added.includes(rule))
      .map(({ id }) => id),
  );
  return [
    ...removed.map(({ id }) => `${id}: removed`),
    ...[...changed].map((id) => `${id}: ${changeOf(was, is, id)}`),
    ...added.map(
      ({ id, response }) => `${id}: added, ${response.decision === 'allow' ? 'allows' : 'changes calls'}`,
    ),
  ];
}

/** Summarizes the change of a rule. */
function changeOf(was: readonly Rule[], is: readonly Rule[], id: string): string {
  const [before, after] = [was, is].map((rules) => rules.find((rule) => rule.id === id));
  if (!before || !after) return 'changed';
  if (!before.observing && after.observing) return 'enforce → observe';
  const [from, to] = [before.response.decision, after.response.decision];
  return from === to ? 'conditions changed' : `${from} → ${to}`;
}

const RANK = { none: 0, allow: 0, ask: 1, deny: 2 } as const;

/** True for every rule except pure allows. */
function isGuard({ response }: Rule): boolean {
  return response.decision !== 'allow';
}

/** True if one rule protects from everything that the other with its id did. */
function covers(one: Rule, other: Rule): boolean {
  const [now, then] = [textOf(one), textOf(other)];
  return (
    one.id === other.id &&
    isGuard(one) &&
    RANK[one.response.decision] >= RANK[other.response.decision] &&
    (!one.observing || other.observing) &&
    (same(now, then) || ('unless' in then && !('unless' in now) && same(now, omit(then, ['unless']))))
  );
}

/** True if one rule allowed or changed everything that the other with its id does. */
function allowsAsMuch(one: Rule, other: Rule): boolean {
  return (
    one.id === other.id &&
    (one.response.decision === 'allow') === (other.response.decision === 'allow') &&
    (!one.observing || other.observing) &&
    same(textOf(one), textOf(other))
  );
}

/** What a rule can do beside denying, asking and telling. */
const POWERS = ['rewrite', 'grants', 'env', 'llmRequest', 'llmResponse', 'toolConfig', 'native'];

function hasPowers(rule: Rule): boolean {
  return rule.response.decision === 'allow' || POWERS.some((key) => key in textOf(rule));
}

/** Compared separately, or text for people and models. */
const ASIDE = ['id', 'mode', 'deny', 'ask', 'allow', 'next', 'context', 'notify', 'tests'];

/** When a rule matches, and what it does to the call. */
function textOf({ written: [text = {}] }: Rule): Readonly<Record<string, unknown>> {
  return omit({ ...text }, ASIDE);
}

function omit(
  from: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(from).filter(([key, value]) => !keys.includes(key) && value !== undefined),
  );
}

function same(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
