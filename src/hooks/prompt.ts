import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { HookEvent } from '../model/events.ts';
import type { HookResponse } from '../model/responses.ts';
import { redact } from '../observe/redact.ts';
import { basisOf } from './asked.ts';
import type { PlacedEntry } from './config-file.ts';
import type { PromptEntry, Provider } from './config-schema.ts';
import type { Hook } from './hook.ts';
import type { PromptMemory } from './prompt-memory.ts';
import { askModel } from './providers.ts';
import type { Speaker } from './translate.ts';

/** A model that is asked in words. */
export function promptHook(
  placed: PlacedEntry,
  entry: PromptEntry,
  all: ReadonlyMap<string, Speaker>,
  provider: Provider | undefined,
  memory: PromptMemory,
): Hook {
  const { hook, concerns, ways } = basisOf(placed, all);
  if (!provider) throw new Error(`there is no provider "${entry.provider}" under providers:`);
  return {
    ...hook,
    kind: 'prompt',
    concerns,
    async run(event, { budgetMs }) {
      const shown =
        entry.dialect === undefined ? null : ways(event).map(({ presented }) => presented.payload);
      const input = JSON.stringify(shown ? (shown.length === 1 ? shown[0] : shown) : publicPart(event));
      // What leaves this machine has no secrets in it. A function, because `$&` in a command is no pattern.
      const prompt = entry.prompt.replaceAll('$ARGUMENTS', () => redact(input));
      const model = entry.model ?? provider.model;
      const question = [
        provider.type,
        model,
        entry.prompt,
        entry.dialect ?? '',
        JSON.stringify(publicPart(event)),
      ];
      const key = createHash('sha256').update(question.join('\0')).digest('hex');
      const known = memory.recall(key);
      if (known !== undefined) return known;
      memory.spend(hook.name, entry.perHour);
      const text = await askModel(provider, { prompt, model, budgetMs }, process.env);
      const response = readVerdict(text, entry.mayAllow);
      memory.keep(key, response);
      return response;
    },
  };
}

/** Without what changes from call to call, so that the same question is asked once. The arguments stay whole. */
function publicPart(event: HookEvent): unknown {
  const {
    id: _id,
    native: _native,
    timestamp: _timestamp,
    sequence: _sequence,
    metadata: _metadata,
    ...kept
  } = event;
  const {
    promptNumber: _prompt,
    toolNumber: _tool,
    sessionId: _session,
    transcriptPath: _path,
    ...rest
  } = kept;
  if (!('tool' in rest)) return rest;
  const { useId: _useId, ...tool } = rest.tool;
  return { ...rest, tool };
}

const verdict = v.union([
  v.looseObject({ ok: v.boolean(), reason: v.optional(v.string()) }),
  v.looseObject({
    decision: v.picklist(['approve', 'allow', 'block', 'deny', 'ask']),
    reason: v.optional(v.string()),
    systemMessage: v.optional(v.string()),
    continue: v.optional(v.boolean()),
    stopReason: v.optional(v.string()),
  }),
]);

/** Both forms that models are told to answer in. Throws for anything else: a guess would be an opinion. */
export function readVerdict(text: string, mayAllow: boolean): HookResponse {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), verdict), withoutFence(text));
  if (!parsed.success) throw new Error('the model did not answer in the form that was asked for');
  const given = parsed.output;
  const reason = given.reason || 'A prompt hook objects.';
  // A model may be talked into anything by what it reads, so that by itself it only ever tightens.
  const approved: HookResponse = mayAllow ? { decision: 'allow', reason } : { decision: 'none' };
  if ('ok' in given) return given.ok ? approved : { decision: 'deny', reason };
  const message = given.systemMessage ? { systemMessage: given.systemMessage } : {};
  const halt = given.continue === false ? { halt: given.stopReason ?? reason } : {};
  switch (given.decision) {
    case 'approve':
    case 'allow':
      return { ...approved, ...message, ...halt };
    case 'ask':
      return { decision: 'ask', reason, ...message, ...halt };
    default:
      return { decision: 'deny', reason, ...message, ...halt };
  }
}

function withoutFence(text: string): string {
  return /^\s*```(?:json)?\s*([\s\S]*?)```\s*$/.exec(text)?.[1] ?? text;
}
