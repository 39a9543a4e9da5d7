import * as v from 'valibot';
import { type ForwarderCall, parseForwarderCommand } from '../forwarder-command.ts';
import { commandOf, type HookGroups } from '../hook-groups.ts';
import { SettingsDocument, unreadable } from '../settings-json.ts';
import { EVENTS } from './setup-events.ts';

/** A handler read as one that setup wrote; null for everybody else's. */
export function ourCall(handler: unknown): ForwarderCall | null {
  const command = commandOf(handler);
  return command === null ? null : parseForwarderCommand(command, 'codex');
}

/** How this client's hooks.json holds hooks. It reads plain JSON. */
export function hookGroups(path: string): HookGroups {
  return { path, isOurs: (handler) => ourCall(handler) !== null };
}

const seconds = v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0)));
const text = v.nullish(v.string());
const handler = v.variant('type', [
  v.looseObject({
    type: v.literal('command'),
    command: v.string(),
    timeout: seconds,
    async: v.optional(v.boolean()),
    statusMessage: text,
    additionalContextLimit: seconds,
    commandWindows: text,
  }),
  v.looseObject({ type: v.literal('mcp_tool'), server: v.string(), tool: v.string(), timeout: seconds }),
  v.looseObject({ type: v.literal('prompt') }),
  v.looseObject({ type: v.literal('agent') }),
]);
const groups = v.array(v.looseObject({ matcher: text, hooks: v.optional(v.array(handler), []) }));

/** The whole file is dropped for one entry that is not of this shape. Events of other versions are let through. */
const hooksFile = v.strictObject({
  description: text,
  hooks: v.optional(
    v.looseObject(Object.fromEntries(Object.keys(EVENTS).map((event) => [event, v.optional(groups)]))),
  ),
});

/** The places for which the client would drop the whole file. The values are not told: they may hold secrets. */
export function fatalEntries(document: unknown): readonly string[] {
  const { issues = [] } = v.safeParse(hooksFile, document);
  return issues.map((issue) => v.getDotPath(issue) ?? 'the file');
}

/** Throws SETTINGS_UNREADABLE for a file that the client would not read: an entry in it would never run. */
export function assertReadable(content: string, path: string): void {
  if (content.startsWith('\uFEFF'))
    throw unreadable(path, 'begins with a byte order mark, which Codex refuses');
  if (content.trim() === '') return;
  const [place] = fatalEntries(new SettingsDocument(content, { path }).get([]));
  if (place !== undefined) throw unreadable(path, `has something that Codex refuses (${place})`);
}
