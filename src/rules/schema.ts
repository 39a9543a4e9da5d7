import * as v from 'valibot';
import { ACTS, OBJECTS } from '../knowledge/acts.ts';
import { RECOVERIES } from './recovery/recoveries.ts';

const word = v.pipe(v.string(), v.nonEmpty('must not be empty'));
const words = v.union(
  [word, v.pipe(v.array(word), v.nonEmpty('must not be empty'))],
  'must be a string or a list of strings',
);
const text = v.pipe(v.string('must be a string'), v.nonEmpty('must not be empty'));

const conditions = {
  agent: v.optional(words),
  tool: v.optional(words),
  command: v.optional(words),
  reads: v.optional(words),
  writes: v.optional(words),
  deletes: v.optional(words),
  links: v.optional(words),
  sends: v.optional(words),
  exposes: v.optional(words),
  host: v.optional(words),
  mcp: v.optional(words),
  prompt: v.optional(words),
  output: v.optional(words),
  cwd: v.optional(words),
  branch: v.optional(words),
  effects: v.optional(words),
  act: oneOf(ACTS, 'an act'),
  object: oneOf(OBJECTS, 'an object'),
  coverage: v.optional(
    v.picklist(['partial', 'failed', 'over-budget'], 'must be partial, failed or over-budget'),
  ),
  tree: v.optional(v.picklist(['clean', 'dirty'], 'must be clean or dirty')),
  recovery: oneOf(RECOVERIES, 'a recovery'),
  untested: v.optional(v.literal(true)),
  calm: v.optional(v.literal(true)),
  exists: v.optional(words),
  denied: v.optional(limitText()),
  denials: v.optional(limitText()),
  conflict: v.optional(v.picklist(['file', 'branch'], 'must be file or branch')),
  within: v.optional(v.pipe(v.string(), v.regex(/^\d+[smh]$/, 'must be as in 10m'))),
  when: v.optional(word),
};

const conditionsOnly = v.strictObject(conditions, unknownKey);
export type ConditionsText = v.InferOutput<typeof conditionsOnly>;

const grant = v.strictObject({
  behavior: v.optional(v.picklist(['allow', 'deny', 'ask']), 'allow'),
  tool: v.string(),
  pattern: v.optional(v.nullable(v.string()), null),
  scope: v.optional(v.picklist(['session', 'project', 'user']), 'session'),
});

const toolConfig = v.strictObject({
  mode: v.exactOptional(v.picklist(['AUTO', 'ANY', 'NONE'], 'must be AUTO, ANY or NONE')),
  allowedFunctionNames: v.exactOptional(v.array(word)),
});

/** A rule as written in a file. Unknown keys are errors: a misspelled condition would silently widen the rule. */
export const ruleSchema = v.strictObject(
  {
    id: v.optional(
      v.pipe(v.string(), v.regex(/^[A-Za-z0-9][\w./-]*$/, 'must be letters, digits and . _ / -')),
    ),
    on: v.optional(words),
    ...conditions,
    unless: v.optional(
      v.union([conditionsOnly, v.array(conditionsOnly)], 'must be conditions, or a list of them'),
    ),
    certainty: v.optional(
      v.picklist(['certain', 'likely', 'possible'], 'must be certain, likely or possible'),
    ),
    deny: v.optional(text),
    ask: v.optional(text),
    allow: v.optional(v.union([text, v.literal(true)])),
    next: v.optional(text),
    context: v.optional(text),
    notify: v.optional(text),
    rewrite: v.optional(v.record(v.string(), v.unknown())),
    halt: v.optional(text),
    grants: v.optional(v.array(grant)),
    env: v.optional(v.record(v.string(), v.string())),
    llmRequest: v.optional(v.record(v.string(), v.unknown())),
    llmResponse: v.optional(v.record(v.string(), v.unknown())),
    toolConfig: v.optional(toolConfig),
    native: v.optional(v.record(v.string(), v.record(v.string(), v.unknown()))),
    mode: v.optional(v.picklist(['enforce', 'observe'], 'must be enforce or observe'), 'enforce'),
    until: v.optional(
      v.pipe(v.string(), v.isoTimestamp('must be a date or time, as in 2026-12-31T18:00:00Z')),
    ),
    limit: v.optional(limitText()),
    repeat: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    protected: v.optional(v.boolean(), false),
    tests: v.optional(
      v.strictObject({
        match: v.optional(v.array(v.unknown()), []),
        pass: v.optional(v.array(v.unknown()), []),
      }),
    ),
  },
  unknownKey,
);
export type RuleText = v.InferOutput<typeof ruleSchema>;

const file = {
  description: v.optional(v.string()),
  mode: v.optional(v.picklist(['enforce', 'observe']), 'enforce'),
};

/** A rule file: a list, and for packs a description. */
export const ruleFileSchema = v.strictObject({ ...file, rules: v.array(ruleSchema) });

/** What a merged rule was about: its deeds or effects. */
const partSchema = v.strictObject({
  act: conditions.act,
  object: conditions.object,
  effects: v.optional(words),
});

/** A pack file, whose rules may replace merged ones, each with its part. */
export const packFileSchema = v.strictObject({
  ...file,
  rules: v.array(
    v.strictObject(
      { ...ruleSchema.entries, was: v.optional(v.record(v.string(), partSchema), {}) },
      unknownKey,
    ),
  ),
});

function oneOf<const Words extends readonly string[]>(all: Words, what: string) {
  const one = v.picklist(all);
  const some = v.pipe(v.array(one), v.nonEmpty('must not be empty'));
  return v.optional(v.union([one, some], `must be ${what}, or a list of them; see docs/rules-reference.md`));
}

function limitText() {
  return v.pipe(v.string(), v.regex(limitForm(), 'must be as in "3 per turn"'));
}

function limitForm(): RegExp {
  return /^(\d+) per (turn|session|hour)$/;
}

/** Parses "3 per turn". */
export function parseLimit(
  limit: string,
): { readonly count: number; readonly per: 'turn' | 'session' | 'hour' } | null {
  const [, count, per] = limitForm().exec(limit) ?? [];
  return count !== undefined && (per === 'turn' || per === 'session' || per === 'hour')
    ? { count: Number(count), per }
    : null;
}

const SPANS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Parses "10m" into ms. */
export function parseSpan(span: string): number {
  return Number(span.slice(0, -1)) * (SPANS[span.slice(-1)] ?? 0);
}

function unknownKey(issue: { readonly received: string; readonly expected: string | null }): string {
  return issue.expected === 'never'
    ? 'is not a rule key; see docs/rules-reference.md'
    : `must be ${issue.expected}, not ${issue.received}`;
}
