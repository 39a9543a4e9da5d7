import * as v from 'valibot';

const words = v.union([v.string(), v.array(v.string())], 'must be a word or a list of words');
const duration = v.union(
  [
    v.pipe(v.number(), v.gtValue(0, 'must be more than 0')),
    v.pipe(v.string(), v.regex(/^\d+(?:\.\d+)?\s*(?:ms|s|m)$/, 'must be as in 500ms, 10s or 2m')),
  ],
  'must be as in 500ms, 10s or 2m',
);
const texts = v.record(v.string(), v.string());
const pattern = v.optional(v.string());

const COMMON = {
  name: v.optional(v.pipe(v.string(), v.nonEmpty())),
  /** Our own names of events and groups. */
  on: v.optional(words),
  tool: v.optional(words),
  agent: v.optional(words),
  project: v.optional(v.string()),
  timeout: v.optional(duration),
  enabled: v.optional(v.boolean(), true),
  failure: v.optional(v.picklist(['open', 'closed'], 'must be open or closed')),
  background: v.optional(v.boolean(), false),
  /** Where `hookline import` took it from. */
  from: v.optional(v.string()),
};

/** The agent that the hook was written for, and which of that agent's own events and matchers it is for. */
const DIALECT = { dialect: v.string(), event: pattern, matcher: pattern };

/**
 * A whole `hooks.yaml`, for editors; it is read entry by entry, so that one bad entry costs no other.
 *
 * @internal
 */
export const hooksFileSchema = (): v.GenericSchema =>
  v.strictObject({
    providers: v.optional(v.record(v.string(), providerSchema)),
    hooks: v.optional(v.nullable(v.array(hookSchema))),
  });

export const hookSchema = v.variant(
  'type',
  [
    v.strictObject({
      type: v.literal('command'),
      ...COMMON,
      ...DIALECT,
      command: v.pipe(v.string(), v.nonEmpty()),
      args: v.optional(v.array(v.string())),
      env: v.optional(texts, {}),
    }),
    v.strictObject({
      type: v.literal('http'),
      ...COMMON,
      ...DIALECT,
      url: v.pipe(v.string(), v.url('must be a URL')),
      headers: v.optional(texts, {}),
      allowedEnvVars: v.optional(v.array(v.string()), []),
    }),
    v.strictObject({
      type: v.literal('prompt'),
      ...COMMON,
      dialect: v.optional(v.string()),
      event: pattern,
      matcher: pattern,
      prompt: v.pipe(v.string(), v.nonEmpty()),
      provider: v.string(),
      model: v.optional(v.string()),
      perHour: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 60),
      mayAllow: v.optional(v.boolean(), false),
    }),
  ],
  'must be command, http or prompt',
);
export type HookEntry = v.InferOutput<typeof hookSchema>;
export type CommandEntry = Extract<HookEntry, { type: 'command' }>;
export type HttpEntry = Extract<HookEntry, { type: 'http' }>;
export type PromptEntry = Extract<HookEntry, { type: 'prompt' }>;

export const providerSchema = v.strictObject({
  type: v.picklist(['openai', 'anthropic', 'google'], 'must be openai, anthropic or google'),
  url: v.optional(v.pipe(v.string(), v.url('must be a URL'))),
  model: v.pipe(v.string(), v.nonEmpty()),
  /** The name of the variable that has the key; servers on one's own machine often want none. */
  key: v.optional(v.string()),
  maxTokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 512),
});
export type Provider = v.InferOutput<typeof providerSchema>;

/** In ms; a bare number is in the unit of the hook's agent. */
export function durationMs(value: number | string, unit: 'ms' | 's'): number {
  if (typeof value === 'number') return unit === 's' ? value * 1000 : value;
  const amount = Number.parseFloat(value);
  if (value.endsWith('ms')) return amount;
  return amount * (value.endsWith('m') ? 60_000 : 1000);
}
