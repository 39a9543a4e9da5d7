import * as v from 'valibot';
import type { ToolConfig } from '../../model/responses.ts';
import { isObject } from '../loose-json.ts';
import { nativeToolName } from './tools.ts';

/** The client's stable form of a request and an answer (0.61.0), as it takes them from hooks. */

const config = v.object({
  temperature: v.optional(v.number()),
  maxOutputTokens: v.optional(v.number()),
  topP: v.optional(v.number()),
  topK: v.optional(v.number()),
});
export type LLMConfig = v.InferOutput<typeof config>;

// Content in parts would reach the model as "[object Object]".
const message = v.object({ role: v.picklist(['user', 'model', 'system']), content: v.string() });

const request = v.strictObject({
  model: v.optional(v.pipe(v.string(), v.minLength(1))),
  messages: v.optional(v.array(message)),
  config: v.optional(v.strictObject(config.entries)),
});
/** A partial change of a request. */
export type LLMRequest = v.InferOutput<typeof request>;

const fullResponse = v.looseObject({
  candidates: v.pipe(
    v.array(
      v.looseObject({
        content: v.looseObject({ parts: v.pipe(v.array(v.string()), v.minLength(1)) }),
        finishReason: v.optional(v.string()),
        index: v.optional(v.number()),
      }),
    ),
    v.minLength(1),
  ),
  usageMetadata: v.optional(v.unknown()),
});
/** As people write it. */
const textResponse = v.looseObject({ text: v.pipe(v.string(), v.minLength(1)) });

export interface LLMResponse {
  readonly candidates: readonly {
    readonly content: { readonly role: 'model'; readonly parts: readonly string[] };
    readonly finishReason?: string;
    readonly index?: number;
  }[];
  readonly usageMetadata?: unknown;
}

export interface HookToolConfig {
  readonly mode: 'AUTO' | 'ANY' | 'NONE';
  readonly allowedFunctionNames: readonly string[];
}

/** Something in the client's form, or what is wrong with it. */
export type Said<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

/** A change of a request. The client forgets every setting that `config` does not repeat, so it is complete. */
export function requestChange(wanted: unknown, original: unknown): Said<LLMRequest> {
  const parsed = v.safeParse(request, wanted);
  if (!parsed.success) return refused('llmRequest', parsed.issues[0]);
  const known = v.safeParse(config, isObject(original) ? original.config : undefined);
  const complete = { ...(known.success ? known.output : {}), ...parsed.output.config };
  return {
    ok: true,
    value: Object.keys(complete).length > 0 ? { ...parsed.output, config: complete } : parsed.output,
  };
}

/**
 * An answer in place of the model's, or of one chunk of it (`original`), whose end and usage are repeated because the
 * client takes nothing from the original any more. Only text can be said: a function call is none of its fields.
 */
export function syntheticResponse(wanted: unknown, original: unknown): Said<LLMResponse> {
  const full = v.safeParse(fullResponse, wanted);
  const text = full.success ? null : v.safeParse(textResponse, wanted);
  if (text && !text.success) return refused('llmResponse', (full.issues ?? text.issues)[0]);
  const before = v.safeParse(chunk, original);
  const { candidates: replaced = [], usageMetadata: used } = before.success ? before.output : {};
  const given = full.success ? full.output.candidates : [{ content: { parts: [text?.output.text ?? ''] } }];
  const candidates = given.map((one, at) => ({
    content: { role: 'model' as const, parts: one.content.parts },
    ...ending(replaced[at]),
    ...ending(one),
  }));
  const usageMetadata = (full.success ? full.output.usageMetadata : undefined) ?? used;
  return { ok: true, value: { candidates, ...(usageMetadata === undefined ? {} : { usageMetadata }) } };
}

const chunk = v.looseObject({
  candidates: v.optional(
    v.array(v.looseObject({ finishReason: v.optional(v.string()), index: v.optional(v.number()) })),
  ),
  usageMetadata: v.optional(v.unknown()),
});

interface Ending {
  readonly finishReason?: string | undefined;
  readonly index?: number | undefined;
}

function ending({ finishReason, index }: Ending = {}): { finishReason?: string; index?: number } {
  return {
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(index === undefined ? {} : { index }),
  };
}

/** A choice of tools, by canonical or native names. The model's API takes names only in mode ANY. */
export function toolChoice({ mode, allowedFunctionNames = [] }: ToolConfig): HookToolConfig {
  const names = mode === 'NONE' ? [] : [...new Set(allowedFunctionNames.map(nativeToolName))];
  return { mode: mode ?? (names.length > 0 ? 'ANY' : 'AUTO'), allowedFunctionNames: names };
}

function refused(field: string, issue: v.BaseIssue<unknown>): { ok: false; reason: string } {
  const place = v.getDotPath(issue);
  return { ok: false, reason: `${place === null ? field : `${field}.${place}`} is not what 0.61.0 reads.` };
}
