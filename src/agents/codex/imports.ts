import * as v from 'valibot';
import { listHandlers, narrows, type PlacedHandler } from '../hook-groups.ts';
import { type AgentImports, importsFrom, scopedSources } from '../imports.ts';
import { readSettings } from '../settings-json.ts';
import type { FileEdit, SetupContext } from '../setup.ts';
import { configPath, hooksPath } from './setup-files.ts';
import { hookGroups } from './setup-handlers.ts';
import { movedTrust } from './setup-trust.ts';

const command = v.looseObject({
  type: v.literal('command'),
  command: v.string(),
  timeout: v.nullish(v.number()),
  async: v.nullish(v.boolean()),
});

/** Hooks of hooks.json, with what the user's settings say about trust in them. */
export const imports: AgentImports = importsFrom({
  sources: (context) => scopedSources(context, hooksPath),
  groups: hookGroups,
  entry,
  also,
});

function entry({ event, matcher, handler }: PlacedHandler) {
  if (!v.is(command, handler)) return { why: 'only command hooks can be moved' };
  return {
    entry: {
      type: 'command',
      dialect: 'codex',
      event,
      ...(narrows(matcher) ? { matcher } : {}),
      command: handler.command,
      ...(typeof handler.timeout === 'number' ? { timeout: `${Math.max(handler.timeout, 1)}s` } : {}),
      ...(handler.async ? { background: true } : {}),
      from: 'codex',
    },
  };
}

/** The client knows a hook by its place, so that those behind one that goes would not be trusted any more. */
function also(context: SetupContext, edit: FileEdit, gone: readonly PlacedHandler[]): readonly FileEdit[] {
  const path = configPath(context);
  const before = readSettings(path);
  if (before === null || edit.before === null || edit.after === null) return [];
  const isGone = (one: PlacedHandler) =>
    gone.some(({ event, group, index }) => one.event === event && one.group === group && one.index === index);
  const was = listHandlers(edit.before, hookGroups(edit.path));
  const is = listHandlers(edit.after, hookGroups(edit.path));
  const kept = was.filter((one) => !isGone(one));
  const moves = kept.map((from, at) => ({ from, to: is[at] ?? from }));
  const after = movedTrust(before, path, edit.path, { gone: was.filter(isGone), moves });
  return after === before ? [] : [{ path, before, after }];
}
