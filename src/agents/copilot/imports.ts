import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { HooklineError } from '../../model/errors.ts';
import {
  commandDraft,
  type DraftDecision,
  decided,
  draftId,
  type ImportNote,
  type RuleDraft,
} from '../../model/rule-drafts.ts';
import type { PlacedHandler } from '../setup/hook-groups.ts';
import { type AgentImports, importsFrom, type PermissionImport } from '../setup/imports.ts';
import { dialect } from './dialect.ts';
import { hookFiles, settings, userFolder } from './setup.ts';

const command = v.looseObject({
  type: v.optional(v.literal('command')),
  bash: v.optional(v.string()),
  command: v.optional(v.string()),
  exec: v.optional(v.string()),
  args: v.optional(v.array(v.string())),
  timeoutSec: v.optional(v.number()),
  timeout: v.optional(v.number()),
  cwd: v.optional(v.string()),
  env: v.optional(v.record(v.string(), v.string())),
});

/** Hooks in the user's and the project's own files; those in Claude's files are Claude's. */
export const imports: AgentImports = importsFrom({
  id: 'copilot',
  sources: (context) =>
    hookFiles(context).map(({ path, scope }) => ({
      path,
      project: scope === 'project' ? context.cwd : null,
    })),
  groups: settings.groups,
  entry,
});

function entry({ event, matcher, handler }: PlacedHandler) {
  if (!dialect.events.includes(event)) return { why: `Hookline has nothing like ${event}` };
  if (matcher === '') return { why: 'its matcher is empty, and Copilot CLI never runs it' };
  if (!v.is(command, handler)) return { why: 'it is not a command, and Copilot CLI runs it itself' };
  const line = handler.exec ?? handler.bash ?? handler.command;
  if (line === undefined) return { why: 'it has no command for this system' };
  if (handler.cwd !== undefined) return { why: 'it runs in its own directory' };
  const timeout = handler.timeoutSec ?? handler.timeout;
  return {
    type: 'command',
    command: line,
    ...(handler.exec === undefined ? {} : { args: handler.args ?? [] }),
    ...(handler.env ? { env: handler.env } : {}),
    ...(timeout === undefined ? {} : { timeout: `${timeout}s` }),
  };
}

const approval = v.looseObject({
  kind: v.string(),
  commandIdentifiers: v.optional(v.array(v.string()), []),
  serverName: v.optional(v.string(), ''),
  toolName: v.nullish(v.string()),
});
const urls = v.optional(v.array(v.string()), []);

/** What the user approved for a folder, and addresses that settings allow or deny (1.0.102). */
const permissionFile = v.looseObject({
  locations: v.optional(
    v.record(v.string(), v.looseObject({ tool_approvals: v.optional(v.array(approval), []) })),
    {},
  ),
  allowedUrls: urls,
  deniedUrls: urls,
});

export const permissions: PermissionImport = {
  files(context) {
    const user = userFolder(context);
    const project = join(context.cwd, '.github', 'copilot');
    return [
      join(user, 'permissions-config.json'),
      join(user, 'settings.json'),
      join(project, 'settings.json'),
      join(project, 'settings.local.json'),
    ].filter((path) => existsSync(path));
  },
  read(text, path) {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), permissionFile), text);
    if (!parsed.success)
      throw new HooklineError('SETTINGS_UNREADABLE', `${path}: ${parsed.issues[0].message}`);
    const { locations, allowedUrls, deniedUrls } = parsed.output;
    const found = [
      ...deniedUrls.map((url) => address(url, 'deny')),
      ...Object.entries(locations).flatMap(([folder, { tool_approvals }]) =>
        tool_approvals.flatMap((one) => approved(folder, one)),
      ),
      ...allowedUrls.map((url) => address(url, 'allow')),
    ];
    return {
      rules: found.flatMap(({ rule }) => (rule ? [rule] : [])),
      notes: found.flatMap(({ note }) => (note ? [note] : [])),
    };
  },
};

interface Carried {
  readonly rule?: RuleDraft;
  readonly note?: ImportNote;
}

function carried(decision: DraftDecision, what: string, rule: RuleDraft): Carried {
  return { rule: { id: draftId('copilot', decision, what), ...rule } };
}

/** A host, with or without a scheme; what says more than that is not carried over. */
function address(url: string, decision: 'allow' | 'deny'): Carried {
  const [, host] = /^(?:https:\/\/)?((?:\*\.)?[\w.-]+)\/?$/.exec(url) ?? [];
  const what = `${decision} ${url}`;
  if (host === undefined) return { note: { what, why: 'names more than a host, which has no counterpart' } };
  const why = `${url} in the imported settings.`;
  // A denial is also for commands; a permission is not.
  const where = decision === 'deny' ? { host } : { tool: 'WebFetch', host };
  return carried(decision, url, { ...where, ...decided(decision, why) });
}

/** What was approved for a folder is permitted there and below, and nowhere else. */
function approved(
  folder: string,
  { kind, commandIdentifiers, serverName, toolName }: v.InferOutput<typeof approval>,
): readonly Carried[] {
  const cwd = [folder, `${folder}/**`];
  const why = 'Approved for this folder.';
  const named = (what: string, rule: RuleDraft) => carried('allow', `${what}-${folder}`, { cwd, ...rule });
  switch (kind) {
    case 'commands':
      return commandIdentifiers.map((one) => named(one, commandDraft([one], 'allow', why)));
    case 'write': {
      // A patch may write several files, of which the pattern is true for one.
      const alone = { tool: ['Edit', 'Write'], writes: `${folder}/**`, when: 'tool.files.size() == 1' };
      return [named('write', { ...alone, ...decided('allow', why) })];
    }
    case 'mcp': {
      const mcp = toolName ? `${serverName}/${toolName}` : serverName;
      return serverName === '' ? [] : [named(mcp, { mcp, ...decided('allow', why) })];
    }
    default:
      return [
        { note: { what: `${kind} in ${folder}`, why: 'is not a rule about calls and stays where it is' } },
      ];
  }
}
