import * as v from 'valibot';
import { EVENT_GROUPS, EVENT_TYPES, type EventType } from '../model/events.ts';
import type { HookResponse } from '../model/responses.ts';

/** A rule as the engine uses it. */
export interface Rule {
  readonly id: string;
  /** File and line it was read from. */
  readonly where: string;
  /** Events on which the rule decides. */
  readonly on: ReadonlySet<EventType>;
  /** Events on which it does anything but decide. A call that is asked about twice is to be told things once. */
  readonly tellsOn: ReadonlySet<EventType>;
  readonly agents: readonly string[] | null;
  readonly tools: readonly string[] | null;
  readonly commands: readonly string[] | null;
  readonly response: HookResponse;
}

const names = v.union([v.pipe(v.string(), v.nonEmpty()), v.pipe(v.array(v.string()), v.nonEmpty())]);
const text = v.pipe(v.string(), v.nonEmpty('needs a text that says why'));
const grant = v.strictObject({
  behavior: v.optional(v.picklist(['allow', 'deny', 'ask']), 'allow'),
  tool: v.string(),
  pattern: v.optional(v.nullable(v.string()), null),
  scope: v.optional(v.picklist(['session', 'project', 'user']), 'session'),
});

/** A rule as people write it. Unknown keys are errors: a misspelt condition would widen the rule in silence. */
export const ruleSchema = v.strictObject({
  id: v.optional(v.pipe(v.string(), v.nonEmpty())),
  on: v.optional(names),
  agent: v.optional(names),
  tool: v.optional(names),
  command: v.optional(names),
  deny: v.optional(text),
  ask: v.optional(text),
  allow: v.optional(v.union([text, v.literal(true)])),
  context: v.optional(text),
  notify: v.optional(text),
  rewrite: v.optional(v.record(v.string(), v.unknown())),
  halt: v.optional(text),
  grants: v.optional(v.array(grant)),
  env: v.optional(v.record(v.string(), v.string())),
});
export type RuleText = v.InferOutput<typeof ruleSchema>;

/** What keeps a rule that is well formed from making sense, or null. */
export function nonsense(rule: RuleText): string | null {
  const decisions = (['deny', 'ask', 'allow'] as const).filter((key) => rule[key] !== undefined);
  if (decisions.length > 1) return `says ${decisions.join(' and ')}; a rule decides one thing`;
  const tells = rule.context ?? rule.notify ?? rule.rewrite ?? rule.halt ?? rule.env;
  if (decisions.length === 0 && tells === undefined) {
    return 'does nothing: give it deny, ask, allow, context, rewrite, notify, halt or env';
  }
  if (rule.grants && rule.allow === undefined) return 'has grants but does not allow; grants go with allow';
  for (const name of listed(rule.on) ?? []) {
    if (!(name in EVENT_GROUPS) && !EVENT_TYPES.some((type) => type === name)) {
      return `is on "${name}", which is no event; see docs/events.md`;
    }
  }
  return null;
}

/** The rule, ready for use. */
export function compile(rule: RuleText, id: string, where: string): Rule {
  // A rule about a tool call without further words means the moment before it.
  const on = listed(rule.on) ?? ['tool'];
  return {
    id,
    where,
    on: expand(on),
    tellsOn: expand(on.map((name) => (name === 'tool' ? 'before_tool' : name))),
    agents: listed(rule.agent),
    tools: listed(rule.tool),
    commands: listed(rule.command),
    response: responseOf(rule),
  };
}

function responseOf(rule: RuleText): HookResponse {
  const reason = rule.deny ?? rule.ask ?? (typeof rule.allow === 'string' ? rule.allow : undefined);
  return {
    decision: rule.deny ? 'deny' : rule.ask ? 'ask' : rule.allow ? 'allow' : 'none',
    ...(reason === undefined ? {} : { reason }),
    ...(rule.context === undefined ? {} : { context: rule.context }),
    ...(rule.notify === undefined ? {} : { systemMessage: rule.notify }),
    ...(rule.rewrite === undefined ? {} : { modifyArgs: rule.rewrite }),
    ...(rule.halt === undefined ? {} : { halt: rule.halt }),
    ...(rule.grants === undefined ? {} : { grants: rule.grants }),
    ...(rule.env === undefined ? {} : { env: rule.env }),
  };
}

function expand(on: readonly string[]): ReadonlySet<EventType> {
  const wanted = new Set<string>(on.flatMap((name): readonly string[] => EVENT_GROUPS[name] ?? [name]));
  return new Set(EVENT_TYPES.filter((type) => wanted.has(type)));
}

function listed(value: string | readonly string[] | undefined): readonly string[] | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? [value] : value;
}
