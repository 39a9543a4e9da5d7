import * as v from 'valibot';
import { sha256 } from '../../platform/sha256.ts';
import { snakeCase } from '../kit/hook-payloads.ts';
import type { PlacedHandler } from '../setup/hook-groups.ts';
import { TomlDocument } from './toml-tables.ts';

/**
 * The client runs a hook only if the user's settings have the hash of its definition under the hook's place:
 * `[hooks.state."<file>:<event>:<group>:<handler>"] trusted_hash = "sha256:…"`. An untrusted hook is skipped silently
 * in `codex exec` and the app-server.
 */
const STATE = ['hooks', 'state'] as const;

const definition = v.looseObject({
  type: v.literal('command'),
  command: v.string(),
  timeout: v.nullish(v.number()),
  async: v.nullish(v.boolean()),
  statusMessage: v.nullish(v.string()),
  additionalContextLimit: v.nullish(v.number()),
});

const stateEntry = v.looseObject({
  trusted_hash: v.optional(v.string()),
  enabled: v.optional(v.boolean()),
});
const settings = v.looseObject({
  hooks: v.optional(v.looseObject({ state: v.optional(v.record(v.string(), stateEntry)) })),
});

// The matcher of these is ignored, also in the hash.
const UNMATCHED: ReadonlySet<string> = new Set(['UserPromptSubmit', 'Stop', 'Interrupt']);
const SHORT: ReadonlySet<string> = new Set(['SessionEnd', 'Interrupt']);

/** The name under which the client keeps what it knows about a hook. */
function trustKey(path: string, { event, group, index }: PlacedHandler): string {
  return `${path}:${snakeCase(event)}:${group}:${index}`;
}

/** The client's hash of a hook: of its definition with the defaults filled in, keys in order. null if it has none. */
export function trustHash({ event, matcher, handler }: PlacedHandler): string | null {
  if (!v.is(definition, handler)) return null;
  const limit = handler.additionalContextLimit ?? 2500;
  const canonical = {
    event_name: snakeCase(event),
    hooks: [
      {
        ...(limit === 2500 ? {} : { additionalContextLimit: limit }),
        async: handler.async ?? false,
        command: handler.command,
        ...(typeof handler.statusMessage === 'string' ? { statusMessage: handler.statusMessage } : {}),
        timeout: timeoutOf(event, handler.timeout ?? null),
        type: 'command',
      },
    ],
    ...(typeof matcher === 'string' && !UNMATCHED.has(event) ? { matcher } : {}),
  };
  return `sha256:${sha256(JSON.stringify(canonical))}`;
}

function timeoutOf(event: string, given: number | null): number {
  const isShort = SHORT.has(event);
  const seconds = Math.max(given ?? (isShort ? 1 : 600), 1);
  return isShort ? Math.min(seconds, 3) : seconds;
}

export type Trust = 'trusted' | 'untrusted' | 'modified' | 'disabled';

/** What the client would do with a hook. */
export function trustOf(config: TomlDocument, path: string, placed: PlacedHandler): Trust {
  const entry = stateOf(config)[trustKey(path, placed)];
  if (entry?.enabled === false) return 'disabled';
  if (entry?.trusted_hash === undefined) return 'untrusted';
  return entry.trusted_hash === trustHash(placed) ? 'trusted' : 'modified';
}

function stateOf(config: TomlDocument): Readonly<Record<string, v.InferOutput<typeof stateEntry>>> {
  const read = v.safeParse(settings, config.value);
  return (read.success && read.output.hooks?.state) || {};
}

/** The hooks of one hooks.json before and after a change. */
interface HooksChange {
  readonly path: string;
  readonly before: readonly PlacedHandler[];
  readonly after: readonly PlacedHandler[];
}

/**
 * The user's settings after a change of hooks.json: our hooks are trusted at their places, nothing is left about those
 * that are gone, and hooks of others that moved are trusted as before.
 */
export function withTrust(text: string, configPath: string, { path, before, after }: HooksChange): string {
  const config = new TomlDocument(text, configPath);
  const wanted = new Map(
    after.filter(({ ours }) => ours).map((hook) => [trustKey(path, hook), trustHash(hook)]),
  );
  for (const hook of before.filter(({ ours }) => ours)) {
    const key = trustKey(path, hook);
    if (!wanted.has(key)) config.remove([...STATE, key]);
  }
  const isTheirs = ({ ours }: PlacedHandler) => !ours;
  moveTrust(config, path, before.filter(isTheirs), after.filter(isTheirs));
  for (const [key, hash] of wanted) {
    if (hash !== null && stateOf(config)[key]?.trusted_hash !== hash)
      config.set([...STATE, key], 'trusted_hash', hash);
  }
  return config.toString();
}

/** The user's settings after some hooks were removed from a file: the others are trusted as before. */
export function withoutTrust(
  text: string,
  configPath: string,
  { path, before, after }: HooksChange,
  isRemoved: (hook: PlacedHandler) => boolean,
): string {
  const config = new TomlDocument(text, configPath);
  for (const hook of before.filter(isRemoved)) config.remove([...STATE, trustKey(path, hook)]);
  const kept = before.filter((hook) => !isRemoved(hook));
  moveTrust(config, path, kept, after);
  return config.toString();
}

/** The same hooks before and after, in the order of their places, which only ever get lower. */
function moveTrust(
  config: TomlDocument,
  path: string,
  before: readonly PlacedHandler[],
  after: readonly PlacedHandler[],
): void {
  for (const [at, hook] of after.entries()) {
    const old = before[at];
    if (old === undefined) continue;
    const [from, to] = [trustKey(path, old), trustKey(path, hook)];
    if (from === to || stateOf(config)[from] === undefined) continue;
    config.remove([...STATE, to]);
    config.rename([...STATE, from], to);
  }
}
