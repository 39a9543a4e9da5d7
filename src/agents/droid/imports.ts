import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { HooklineError } from '../../model/errors.ts';
import {
  commandDraft,
  draftId,
  type ImportNote,
  type RuleDraft,
  textDraft,
} from '../../model/rule-drafts.ts';
import { escapeRegExp } from '../../model/text.ts';
import type { PlacedHandler } from '../setup/hook-groups.ts';
import { type AgentImports, type HookSource, importsFrom, type PermissionImport } from '../setup/imports.ts';
import { SettingsDocument } from '../setup/settings-json.ts';
import type { SetupContext } from '../setup/setup.ts';
import { placesIn, settings } from './setup.ts';

const command = v.looseObject({
  type: v.literal('command'),
  command: v.string(),
  timeout: v.optional(v.number()),
});

/** Hooks in the files that the client reads: the second of a scope is switched off where there is the first. */
export const imports: AgentImports = importsFrom({ id: 'droid', sources, groups: settings.groups, entry });

function sources(context: SetupContext): readonly HookSource[] {
  const of = (scope: 'user' | 'project', project: string | null) => {
    const { own, settings: shared } = placesIn({ ...context, scope });
    return [{ path: existsSync(own) ? own : shared, project }];
  };
  const [user, project] = [of('user', null), of('project', context.cwd)];
  return user[0]?.path === project[0]?.path ? user : [...user, ...project];
}

function entry({ handler }: PlacedHandler) {
  if (!v.is(command, handler)) return { why: 'it is not a command, and Droid runs it itself' };
  const { timeout } = handler;
  return {
    type: 'command',
    command: handler.command,
    ...(timeout === undefined ? {} : { timeout: `${timeout}s` }),
  };
}

/** Its lists of commands, and what 0.225.2 does with one that is on them. */
const LISTS = [
  ['commandBlocklist', 'deny'],
  // It always asks about these, whatever its level of autonomy is.
  ['commandDenylist', 'ask'],
  ['commandAllowlist', 'allow'],
] as const;

const list = v.optional(v.array(v.string()), []);
const commandLists = v.looseObject({ commandBlocklist: list, commandDenylist: list, commandAllowlist: list });

/** Commands that its settings name, as rules for every agent. */
export const permissions: PermissionImport = {
  files: (context) =>
    (['user', 'project'] as const)
      .map((scope) => placesIn({ ...context, scope }).settings)
      .filter((path) => existsSync(path)),
  read(text, path) {
    const parsed = v.safeParse(
      commandLists,
      new SettingsDocument(text, { path, comments: true }).get([]) ?? {},
    );
    if (!parsed.success)
      throw new HooklineError('SETTINGS_UNREADABLE', `${path}: ${parsed.issues[0].message}`);
    const rules: RuleDraft[] = [];
    const notes: ImportNote[] = [];
    for (const [name, decision] of LISTS) {
      for (const line of parsed.output[name]) {
        const rule = ruleFor(line.trim(), decision);
        if (rule) rules.push({ id: draftId('droid', decision, line), ...rule });
        else notes.push({ what: `${name}: ${line}`, why: 'is not a simple command' });
      }
    }
    if (parsed.output.permissionRules !== undefined)
      notes.push({ what: 'permissionRules', why: 'has no counterpart and stays where it is' });
    return { rules, notes };
  },
};

/** A permission is for exactly this line; the others also apply to what begins with it (0.225.2). */
function ruleFor(line: string, decision: 'allow' | 'ask' | 'deny'): RuleDraft | null {
  const why = `${line} in the imported permissions.`;
  const isSimple = /^[\w./@:=+,~ -]+$/.test(line);
  if (isSimple) return commandDraft([line], decision, why, true);
  if (decision === 'allow' || line === '') return null;
  return textDraft(escapeRegExp(line), decision, why);
}
