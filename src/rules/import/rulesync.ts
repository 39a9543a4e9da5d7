import * as v from 'valibot';
import { parse } from 'yaml';
import { entryOf } from '../../model/lookup.ts';
import type { ImportNote } from '../../model/rule-drafts.ts';

/** An entry for the hooks file. */
type HookDraft = Readonly<Record<string, unknown>>;

interface ImportedHooks {
  readonly hooks: readonly HookDraft[];
  readonly notes: readonly ImportNote[];
}

const hook = v.looseObject({
  type: v.optional(v.string(), 'command'),
  command: v.optional(v.string()),
  matcher: v.optional(v.string()),
  timeout: v.optional(v.number()),
});
const events = v.record(v.string(), v.array(v.unknown()));
const file = v.looseObject({ hooks: v.optional(events, {}) });

/** Its event names and ours. */
const EVENTS: Readonly<Record<string, string>> = {
  sessionStart: 'session_start',
  sessionEnd: 'session_end',
  preToolUse: 'before_tool',
  postToolUse: 'after_tool',
  beforeSubmitPrompt: 'before_agent',
  stop: 'turn_end',
  subagentStart: 'subagent_start',
  subagentStop: 'subagent_stop',
  preCompact: 'pre_compact',
  postCompact: 'post_compact',
  permissionRequest: 'permission_request',
  notification: 'notification',
  setup: 'setup',
};

/** Hooks written once for many tools. They read and answer in the format of the tool that calls them. */
export function readRulesync(text: string, path: string, dialect: string): ImportedHooks {
  // The file may contain comments. Without them, YAML can read its JSON.
  const parsed = v.safeParse(file, parse(text.replace(/^\s*\/\/.*$/gm, '')));
  if (!parsed.success) return { hooks: [], notes: [{ what: path, why: parsed.issues[0].message }] };
  const hooks: HookDraft[] = [];
  const notes: ImportNote[] = [];
  for (const [event, entries] of Object.entries(parsed.output.hooks)) {
    const on = entryOf(EVENTS, event);
    if (on === undefined) {
      notes.push({ what: event, why: 'is an event of another tool' });
      continue;
    }
    for (const entry of entries) {
      const given = v.safeParse(hook, entry);
      if (!given.success || given.output.type !== 'command' || !given.output.command) {
        notes.push({ what: event, why: 'has an entry that is not a command' });
        continue;
      }
      const { command, matcher, timeout } = given.output;
      hooks.push({
        type: 'command',
        dialect,
        on,
        command,
        ...(matcher && matcher !== '*' ? { tool: matcher.split('|') } : {}),
        ...(timeout === undefined ? {} : { timeout: `${timeout}s` }),
        from: path,
      });
      const plain = matcher === undefined || /^[\w|*-]*$/.test(matcher);
      if (!plain)
        notes.push({
          what: `${event} ${matcher}`,
          why: 'a matcher that is not a plain name may match differently',
        });
    }
  }
  for (const key of Object.keys(parsed.output)) {
    if (key !== 'hooks' && key !== 'version' && key !== '$schema')
      notes.push({ what: key, why: 'applies to one tool only and was skipped' });
  }
  if (hooks.length > 0)
    notes.push({
      what: 'answers',
      why: `are treated as ${dialect} hooks; change \`dialect\` if a script answers differently`,
    });
  return { hooks, notes };
}
