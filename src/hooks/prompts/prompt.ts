import type { HookEvent } from '../../model/events.ts';
import { sha256 } from '../../platform/sha256.ts';
import { redact } from '../../redact/redact.ts';
import type { PlacedEntry } from '../config-file.ts';
import type { PromptEntry, Provider } from '../config-schema.ts';
import { hookEntryOf } from '../entry.ts';
import type { Hook } from '../hook.ts';
import type { DialectOwner } from '../translate.ts';
import type { PromptMemory } from './memory.ts';
import { askModel } from './providers.ts';
import { readVerdict } from './verdict.ts';

/** A hook that asks a model in words. */
export function promptHook(
  placed: PlacedEntry,
  entry: PromptEntry,
  all: ReadonlyMap<string, DialectOwner>,
  provider: Provider | undefined,
  memory: PromptMemory,
): Hook {
  const { hook, concerns, presentations } = hookEntryOf(placed, all);
  if (!provider) throw new Error(`unknown provider "${entry.provider}" under providers:`);
  return {
    ...hook,
    kind: 'prompt',
    concerns,
    async run(event, { budgetMs }) {
      const shown =
        entry.dialect === undefined ? null : presentations(event).map(({ presented }) => presented.payload);
      const input = JSON.stringify(shown ? (shown.length === 1 ? shown[0] : shown) : publicPart(event));
      // Secrets are redacted before data leaves this machine. A function, because `$&` in a command would be a
      // pattern.
      const prompt = entry.prompt.replaceAll('$ARGUMENTS', () => redact(input));
      const model = entry.model ?? provider.model;
      const question = [
        provider.type,
        model,
        entry.prompt,
        entry.dialect ?? '',
        JSON.stringify(publicPart(event)),
      ];
      const key = sha256(question.join('\0'));
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

/** Leaves out what changes with each call, so that the same question is asked once. The arguments stay complete. */
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
