import type { Reason } from '../knowledge/reasons.ts';
import { EVENT_NAMES, EVENT_TYPES, type EventType, typesNamed } from '../model/events.ts';
import type { HookResponse } from '../model/responses.ts';
import { suggestion } from '../model/suggestion.ts';
import { once, remember } from '../platform/bounded.ts';
import {
  type Conditions,
  compileConditions,
  type Keys,
  type Outline,
  outlineOf,
  type Test,
} from './conditions.ts';
import { reasonOf, type Worded, withReason } from './deeds/reasons.ts';
import { compileExceptions, itemsOf } from './exceptions.ts';
import type { Facts } from './facts.ts';
import type { PathPatterns } from './match/paths.ts';
import { FROM_TEXT, type PatternReader } from './match/pattern-reader.ts';
import { listed } from './match/word-match.ts';
import { isAboutUnknown, saidOfUnknown } from './not-understood.ts';
import { type ConditionsText, parseLimit, type RuleText } from './schema.ts';
import type { Window } from './session/memory.ts';
import type { Conflict } from './session/write-conflicts.ts';

/** Origin of a rule. Untrusted project rules can only tighten; fleet rules can't be disabled locally. */
export type Layer = 'system' | 'fleet' | 'pack' | 'user' | 'project';

/** A rule as the engine uses it. */
export interface Rule extends Keys {
  readonly id: string;
  readonly layer: Layer;
  /** Its pack, if any. */
  readonly pack: string | null;
  /** File and line it was read from. */
  readonly where: string;
  /** Events on which the rule decides. */
  readonly on: ReadonlySet<EventType>;
  /** Events on which the rule does anything except decide. A call that is evaluated twice gets its context once. */
  readonly tellsOn: ReadonlySet<EventType>;
  readonly test: Test;
  /**
   * Quick test. False is certain if every path is its real path, and then stays the same for a line. Null without
   * commands and effects.
   */
  readonly mayMatch: Test | null;
  readonly response: HookResponse;
  readonly next: string | null;
  /** The reason for this call, if it depends on the call; null if it is always the same. */
  readonly reasonOn: ((facts: Facts) => Reason | undefined) | null;
  readonly observing: boolean;
  /** In ms since the epoch; null for a rule that does not expire. */
  readonly until: number | null;
  readonly limit: { readonly count: number; readonly per: Window } | null;
  /** How often it may deny the end of a turn. */
  readonly repeat: number;
  /** Its conditions as written, then those of its exceptions. */
  readonly written: readonly ConditionsText[];
  /** Replacements for its former words. */
  readonly former: readonly string[];
  /** The files whose reading it denies or asks about. */
  readonly guards: PathPatterns | null;
  /** True if it only applies to a call that another rule just denied. */
  readonly afterRefusal: boolean;
  /** What it needs to know about writes of other sessions. */
  readonly conflict: Conflict | null;
  /** True if it pauses while the user has unlocked it. */
  readonly protected: boolean;
  /** True if it has an expression or a regular expression, which may run forever. */
  readonly expressive: boolean;
  /** Those of a pack are read on demand. */
  readonly examples: () => RuleExamples;
}

/** Calls that a rule matches, and calls that it doesn't. */
export interface RuleExamples {
  readonly match: readonly unknown[];
  readonly pass: readonly unknown[];
}

interface RuleOrigin {
  readonly id: string;
  readonly where: string;
  readonly layer: Layer;
  readonly pack: string | null;
  /** True if the whole file observes. */
  readonly observing: boolean;
  readonly former?: Rule['former'];
  /** Its examples, if they are not in its text. */
  readonly examples?: Rule['examples'];
}

/** The compiled rule, or the problem with it. */
export function compileRule(
  text: RuleText,
  origin: RuleOrigin,
  reader: PatternReader = FROM_TEXT,
): Rule | { readonly problem: string } {
  const complaint = nonsense(text);
  if (complaint) return { problem: complaint };
  const outline = outlineOf(text, reader);
  if ('problem' in outline) return { problem: `${UNREADABLE}: ${outline.problem}` };
  const spoken = withReason(text, outline.deeds);
  if ('problem' in spoken) return spoken;
  const tests = compileTests(text, outline, reader);
  return 'problem' in tests ? tests : ruleOf(spoken, origin, outline, () => tests);
}

/** A valid rule that is compiled on first use, because most calls need few rules of a pack. */
export function compileLater(
  text: RuleText,
  origin: RuleOrigin,
  reader: PatternReader,
): Rule | { readonly problem: string } {
  const outline = outlineOf(text, reader);
  if ('problem' in outline) return outline;
  const tests = once((): Tests => {
    const compiled = compileTests(text, outline, reader);
    return 'problem' in compiled ? broken(`rule ${origin.id} ${compiled.problem}`) : compiled;
  });
  const spoken = withReason(text, outline.deeds);
  return 'problem' in spoken ? spoken : ruleOf(spoken, origin, outline, tests);
}

/** Throws only when evaluated: then it counts as matching, and the other rules still run. */
function broken(problem: string): Tests {
  const test = () => {
    throw new Error(problem);
  };
  return { mayMatch: null, test, reasonOn: () => undefined };
}

const UNREADABLE = 'has an invalid condition';
const NO_EXAMPLES: RuleExamples = { match: [], pass: [] };

/** The compiled conditions of a rule and its exceptions. */
interface Tests extends Pick<Conditions, 'test' | 'mayMatch'> {
  reasonOn(facts: Facts): Reason | undefined;
}

function compileTests(
  text: RuleText,
  outline: Outline,
  reader: PatternReader,
): Tests | { readonly problem: string } {
  const { allow, certainty: least } = text;
  const conditions = compileConditions(text, outline, { forAllow: allow !== undefined, least, reader });
  if ('problem' in conditions) return { problem: `${UNREADABLE}: ${conditions.problem}` };
  const unless = exceptionsIn(text);
  const { test, mayMatch } = conditions;
  if (unless.length === 0)
    return { test, mayMatch, reasonOn: (facts) => reasonOf(itemsOf(conditions, facts)[0]) };
  const left = compileExceptions(unless, conditions, reader);
  if ('problem' in left) return { problem: `has an invalid exception: ${left.problem}` };
  return {
    test: (facts) => test(facts) && left(facts) !== undefined,
    mayMatch,
    reasonOn: (facts) => reasonOf(left(facts)),
  };
}

function ruleOf(
  { text, differ }: Worded,
  origin: RuleOrigin,
  { programs, effects, deeds, places, isRough }: Outline,
  tests: () => Tests,
): Rule {
  const unless = exceptionsIn(text);
  // A rule about a tool call applies before it by default.
  const on = listed(text.on) ?? [
    text.output === undefined ? (text.prompt === undefined ? 'tool' : 'turn_start') : 'after_tool',
  ];
  const types = expand(on);
  const { id, layer, pack, where } = origin;
  // Lists the keys, because a spread took 4 ms for the packs of a first call (Node 20).
  return {
    id,
    layer,
    pack,
    where,
    on: types,
    tellsOn: on.includes('tool') ? expand(on.map((name) => (name === 'tool' ? 'before_tool' : name))) : types,
    programs,
    effects,
    deeds,
    places,
    mayMatch: isRough ? (facts) => tests().mayMatch?.(facts) ?? true : null,
    test: (facts) => tests().test(facts),
    response: responseOf(text),
    next: text.next ?? null,
    reasonOn: wordsOn(text, differ && layer === 'pack' ? tests : null),
    observing: origin.observing || text.mode === 'observe',
    until: text.until === undefined ? null : Date.parse(text.until),
    limit: text.limit === undefined ? null : parseLimit(text.limit),
    repeat: text.repeat ?? 1,
    written: [text, ...unless],
    former: origin.former ?? [],
    guards: text.deny === undefined && text.ask === undefined ? null : (places.read ?? null),
    afterRefusal: text.denied !== undefined || text.denials !== undefined,
    conflict: text.conflict ?? null,
    protected: text.protected,
    expressive: [text, ...unless].some(isExpressive),
    examples: origin.examples ?? (() => text.tests ?? NO_EXAMPLES),
  };
}

/** The reason for one call, if it varies. Only packs are fast enough to be evaluated twice. */
function wordsOn(text: RuleText, differing: (() => Tests) | null): Rule['reasonOn'] {
  if (isAboutUnknown(text)) return (facts) => saidOfUnknown(text, facts);
  return differing && ((facts) => differing().reasonOn(facts));
}

function exceptionsIn({ unless }: RuleText): readonly ConditionsText[] {
  return unless === undefined ? [] : [unless].flat();
}

function isExpressive({ when, prompt, output }: ConditionsText): boolean {
  const texts = [...(listed(prompt) ?? []), ...(listed(output) ?? [])];
  return when !== undefined || texts.some((one) => one.startsWith('/'));
}

function nonsense(rule: RuleText): string | null {
  const decisions = (['deny', 'ask', 'allow'] as const).filter((key) => rule[key] !== undefined);
  if (decisions.length > 1)
    return `has more than one action (${decisions.join(', ')}); use one of deny, ask or allow`;
  const tells = rule.context ?? rule.notify ?? rule.rewrite ?? rule.halt ?? rule.env ?? rule.native;
  const tellsModel = rule.llmRequest ?? rule.llmResponse ?? rule.toolConfig;
  if (decisions.length === 0 && tells === undefined && tellsModel === undefined) {
    return 'has no action; give it deny, ask, allow, context, rewrite, notify, halt or env';
  }
  if (rule.certainty === 'possible' && rule.deny !== undefined)
    return "can't deny with `certainty: possible`; use ask";
  if (rule.certainty !== undefined && rule.allow !== undefined)
    return 'has certainty but allows; an allow rule only matches certain effects';
  if (rule.calm && rule.allow === undefined) return 'has calm but does not allow; use calm only with allow';
  if (rule.allow !== undefined && saysDeed(rule))
    return 'has act or object but allows; to allow something, name the command';
  if (rule.recovery !== undefined && rule.allow !== undefined)
    return 'has recovery but allows; use recovery only with deny or ask';
  if (rule.within && rule.conflict === undefined) return 'has within but no conflict';
  if (rule.grants && rule.allow === undefined)
    return 'has grants but does not allow; use grants only with allow';
  for (const name of listed(rule.on) ?? []) {
    if (typesNamed(name) === null)
      return `is on "${name}", an unknown event; ${suggestion(name, EVENT_NAMES) ?? 'see docs/events.md'}`;
  }
  return null;
}

const saysDeed = ({ act, object }: ConditionsText): boolean => act !== undefined || object !== undefined;

const BESIDE_DECIDING = [
  ...(['context', 'notify', 'rewrite', 'halt', 'grants', 'env'] as const),
  ...(['llmRequest', 'llmResponse', 'toolConfig', 'native'] as const),
] as const;

function responseOf(rule: RuleText): HookResponse {
  const reason = rule.deny ?? rule.ask ?? (typeof rule.allow === 'string' ? rule.allow : undefined);
  const decision = rule.deny ? 'deny' : rule.ask ? 'ask' : rule.allow ? 'allow' : 'none';
  const decided: HookResponse = reason === undefined ? { decision } : { decision, reason };
  // Shares one object for the defaults that nearly every rule has.
  if (BESIDE_DECIDING.every((key) => rule[key] === undefined)) return decided;
  return {
    ...decided,
    ...(rule.context === undefined ? {} : { context: rule.context }),
    ...(rule.notify === undefined ? {} : { systemMessage: rule.notify }),
    ...(rule.rewrite === undefined ? {} : { modifyArgs: rule.rewrite }),
    ...(rule.halt === undefined ? {} : { halt: rule.halt }),
    ...(rule.grants === undefined ? {} : { grants: rule.grants }),
    ...(rule.env === undefined ? {} : { env: rule.env }),
    ...(rule.llmRequest === undefined ? {} : { llmRequest: rule.llmRequest }),
    ...(rule.llmResponse === undefined ? {} : { llmResponse: rule.llmResponse }),
    ...(rule.toolConfig === undefined ? {} : { toolConfig: rule.toolConfig }),
    ...(rule.native === undefined ? {} : { native: rule.native }),
  };
}

function expand(on: readonly string[]): ReadonlySet<EventType> {
  return typesOf(on.join(' '));
}

/** Cached, because nearly all rules are about the same few events. */
const typesOf = remember((names: string): ReadonlySet<EventType> => {
  const wanted = new Set(names.split(' ').flatMap((name) => typesNamed(name) ?? []));
  return new Set(EVENT_TYPES.filter((type) => wanted.has(type)));
}, 1_000);
