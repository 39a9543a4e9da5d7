import * as v from 'valibot';
import { type ForwarderCall, parseForwarderCommand } from '../forwarder-command.ts';
import { commandOf, type HookGroups } from '../hook-groups.ts';

/** A handler read as one that setup wrote; null for everybody else's. */
export function ourCall(handler: unknown): ForwarderCall | null {
  const command = commandOf(handler);
  return command === null ? null : parseForwarderCommand(command, 'claude');
}

/** How this client's settings hold hooks. It reads plain JSON: a comment makes it drop the file (2.1.325). */
export function hookGroups(path: string): HookGroups {
  return { path, isOurs: (handler) => ourCall(handler) !== null };
}

const shared = {
  if: v.optional(v.string()),
  timeout: v.optional(v.pipe(v.number(), v.gtValue(0))),
  statusMessage: v.optional(v.string()),
  once: v.optional(v.boolean()),
};
const onFailure = v.optional(v.picklist(['continue', 'block']));
const flag = v.optional(v.boolean());

const validHandler = v.variant('type', [
  v.looseObject({
    ...shared,
    type: v.literal('command'),
    command: v.string(),
    args: v.optional(v.array(v.string())),
    shell: v.optional(v.picklist(['bash', 'powershell'])),
    async: flag,
    asyncRewake: flag,
    onFailure,
  }),
  v.looseObject({ ...shared, type: v.literal('http'), url: v.pipe(v.string(), v.url()), onFailure }),
  v.looseObject({ ...shared, type: v.literal('mcp_tool'), server: v.string(), tool: v.string() }),
  v.looseObject({ ...shared, type: v.literal('prompt'), prompt: v.string() }),
  v.looseObject({ ...shared, type: v.literal('agent'), prompt: v.string() }),
]);

const validGroups = v.nullable(
  v.array(v.looseObject({ matcher: v.optional(v.string()), hooks: v.array(validHandler) })),
);

/** Where one bad entry makes the client ignore the whole file, and with it every other hook (2.1.325, tried). */
const STRICT_EVENTS = ['PreToolUse', 'PermissionRequest'];

/** The places for which the client would drop the whole file. The values are not told: they may hold secrets. */
export function fatalEntries(hooks: unknown): readonly string[] {
  if (!v.is(v.looseObject({}), hooks)) return [];
  return STRICT_EVENTS.flatMap((event) => {
    if (hooks[event] === undefined) return [];
    const { issues = [] } = v.safeParse(validGroups, hooks[event]);
    return issues.map((issue) => `hooks.${event}${place(issue)}`);
  });
}

function place(issue: v.BaseIssue<unknown>): string {
  return (issue.path ?? [])
    .map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('');
}
