import { join, resolve } from 'node:path';
import { parse } from 'smol-toml';
import * as v from 'valibot';
import { HooklineError } from '../../model/errors.ts';
import {
  commandDraft,
  type DraftDecision,
  decided,
  type ImportNote,
  type RuleDraft,
  textDraft,
} from '../../model/rule-drafts.ts';
import { detectCommand } from '../setup/detect-command.ts';
import { type Extension, extension } from '../setup/extension.ts';
import {
  type ForwarderCall,
  failClosedCommand,
  forwarderCommand,
  parseForwarderCommand,
} from '../setup/forwarder-command.ts';
import { type EventEntry, type HookSettings, hookSettings, hookTimeouts } from '../setup/hook-settings.ts';
import { filesIn, type PermissionImport } from '../setup/imports.ts';
import { type AgentSetup, changed, type SetupContext } from '../setup/setup.ts';
import { NAMES, type NativeEvent } from './decode.ts';
import { refusals } from './encode.ts';

/**
 * Adds one entry per event to an extension of our own, and removes it again. An extension, because in a folder that is
 * not trusted 0.61.0 runs no hook from settings, not even the user's own.
 */
export const setup: Omit<AgentSetup, 'inspect'> = {
  scopes: ['extension', 'user', 'project'],

  detect: (context) =>
    detectCommand(context, {
      name: 'gemini',
      // Without the first it starts itself a second time; it takes seconds to print its version.
      quiet: { GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_TELEMETRY_ENABLED: 'false' },
      // 0.61.0 makes folders in its home before it has read its options.
      scratch: 'GEMINI_CLI_HOME',
      timeoutMs: 10_000,
    }),

  plan: (context) => ours.addition(context, () => changed(settings.plan(context))),

  planRemoval: (context) => ours.removal(context, settings.planRemoval(context)),
};

// In milliseconds, as the client counts (0.61.0). After a timeout it continues without the hook; it also waits where
// nothing is done with the answer.
const { APPROVAL, WORK, PROMPT, NOTE } = hookTimeouts('ms');

/** Every event of the client. None has a matcher: on most events it is ignored or exact. */
export const EVENTS: Readonly<Record<NativeEvent, EventEntry>> = {
  SessionStart: { timeout: 60_000 },
  BeforeAgent: { timeout: PROMPT },
  PreCompress: { timeout: NOTE },
  BeforeModel: { timeout: PROMPT },
  BeforeToolSelection: { timeout: PROMPT },
  BeforeTool: { timeout: APPROVAL },
  Notification: { timeout: NOTE },
  AfterTool: { timeout: WORK },
  AfterAgent: { timeout: WORK },
  SessionEnd: { timeout: NOTE },
  // One process for every piece of text that the model streams.
  AfterModel: { timeout: NOTE, optIn: true },
};

export const settings: HookSettings = hookSettings({
  id: 'gemini',
  label: 'Gemini CLI',
  timeoutUnit: 'ms',
  events: EVENTS,
  refusals,
  path: hooksPath,
  handler: ({ forwarder, failClosed }, event, { timeout }) => ({
    type: 'command',
    // What the client's screens show and `/hooks disable` takes.
    name: 'hookline',
    command: hookCommand(forwarder, event, { failClosed, platform: process.platform }),
    timeout,
  }),
  parse: parseHookCommand,
  // It reads comments in settings, but not in an extension's files (0.61.0).
  comments: (path) => !path.endsWith('hooks.json'),
});

/** What happens when the forwarder fails, and which shell calls it. */
interface CommandOptions {
  readonly failClosed: boolean;
  readonly platform: NodeJS.Platform;
}

/**
 * The command line of one event. 0.61.0 takes any failure with a text for a refusal, also "No such file or directory",
 * but not exit code 1: without a forwarder neither prompts nor tools would get through, and with one that fails they
 * would. A user who chose to fail closed wants the first in both cases; for the others the call is skipped when there is
 * nothing to call.
 */
export function hookCommand(forwarder: string, event: string, options: CommandOptions): string {
  const command = forwarderCommand(forwarder, 'gemini', event);
  // Its shell there is PowerShell, for which a quoted path alone is a text.
  if (options.platform === 'win32') return `& ${command}`;
  if (options.failClosed) {
    return Object.hasOwn(refusals, event) ? failClosedCommand(forwarder, 'gemini', event) : command;
  }
  const [, program = ''] = /^(?:node )?('(?:[^']|'\\'')*'|\S+)/.exec(command) ?? [];
  return `[ ! -e ${program} ] || ${command}`;
}

/** Reads a command line as one that setup wrote; null for others. */
export function parseHookCommand(command: string): ForwarderCall | null {
  const call = command.replace(/^(?:& |\[ ! -e (?:'(?:[^']|'\\'')*'|[^\s'])+ \] \|\| )/, '');
  return parseForwarderCommand(call, 'gemini');
}

/** The folder of the user's settings and extensions. */
export function userFolder({ env, home, cwd }: SetupContext): string {
  const base = env.GEMINI_CLI_HOME;
  return join(base ? resolve(cwd, base) : home, '.gemini');
}

/** The folder with our hooks. */
export const ours: Extension = extension('gemini-extension.json', userFolder);

/** The file that has our entries. */
export function hooksPath(context: SetupContext): string {
  switch (context.scope) {
    case 'extension':
      return ours.hooksPath(context);
    case 'user':
      return join(userFolder(context), 'settings.json');
    case 'project':
      return join(context.cwd, '.gemini', 'settings.json');
  }
}

/** Every settings file that the client merges in this folder, weakest first. Hooks of all of them run. */
export function allSettings(context: SetupContext, systemDir: string): readonly string[] {
  const { env } = context;
  return [
    env.GEMINI_CLI_SYSTEM_DEFAULTS_PATH || join(systemDir, 'system-defaults.json'),
    // In the home folder these two are the same file.
    ...new Set([hooksPath({ ...context, scope: 'user' }), hooksPath({ ...context, scope: 'project' })]),
    env.GEMINI_CLI_SYSTEM_SETTINGS_PATH || join(systemDir, 'settings.json'),
  ];
}

/** Where an administrator's settings are. */
export function systemFolder(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '/Library/Application Support/GeminiCli';
  if (platform === 'win32') return 'C:\\ProgramData\\gemini-cli';
  return '/etc/gemini-cli';
}

const words = v.union([v.string(), v.array(v.string())]);
const ruleWire = v.looseObject({
  toolName: v.optional(words),
  mcpName: v.optional(v.string()),
  commandPrefix: v.optional(words),
  commandRegex: v.optional(v.string()),
  argsPattern: v.optional(v.string()),
  subagent: v.optional(v.string()),
  toolAnnotations: v.optional(v.unknown()),
  decision: v.picklist(['allow', 'deny', 'ask_user']),
  priority: v.optional(v.number(), 0),
  denyMessage: v.optional(v.string()),
  modes: v.optional(v.array(v.string()), []),
  interactive: v.optional(v.boolean()),
  allowRedirection: v.optional(v.boolean()),
});
type RuleWire = v.InferOutput<typeof ruleWire>;
const file = v.looseObject({ rule: v.optional(v.array(v.unknown()), []) });

const DECISIONS = { allow: 'allow', deny: 'deny', ask_user: 'ask' } as const satisfies Record<
  string,
  DraftDecision
>;

/** Policy files of Gemini CLI, as rules for every agent. */
export const permissions: PermissionImport = {
  files: ({ home, cwd }) => filesIn([join(home, '.gemini/policies'), join(cwd, '.gemini/policies')], '.toml'),
  read(text, path) {
    const { rule: entries, ...others } = v.parse(file, tomlOf(text, path));
    const rules: RuleDraft[] = [];
    const notes: ImportNote[] = [];
    for (const [at, entry] of entries.entries()) {
      const parsed = v.safeParse(ruleWire, entry);
      const what = `rule ${at + 1}`;
      if (!parsed.success) {
        notes.push({ what, why: `cannot be read: ${parsed.issues[0].message}` });
        continue;
      }
      const { rule, why } = carried(parsed.output);
      if (rule) rules.push({ id: `gemini/${at + 1}`, ...rule });
      for (const one of why) notes.push({ what, why: one });
    }
    for (const key of Object.keys(others)) notes.push({ what: key, why: 'has no counterpart' });
    if (hasOverrides(entries)) {
      notes.push({
        what: 'priority',
        why: 'here the stricter rule wins regardless of priority: an allow does not override a deny',
      });
    }
    return { rules, notes };
  },
};

function tomlOf(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new HooklineError('SETTINGS_UNREADABLE', `${path}: not TOML`, { cause: error });
  }
}

/** A permission of higher priority could override a refusal there. */
function hasOverrides(entries: readonly unknown[]): boolean {
  const rules = entries.flatMap((entry) => (v.is(ruleWire, entry) ? [v.parse(ruleWire, entry)] : []));
  return rules.some(
    (loose) =>
      loose.decision === 'allow' &&
      rules.some((strict) => strict.decision !== 'allow' && strict.priority < loose.priority),
  );
}

function carried(wire: RuleWire): { rule: RuleDraft | null; why: string[] } {
  const decision = DECISIONS[wire.decision];
  const narrowing = (['argsPattern', 'subagent', 'toolAnnotations', 'interactive'] as const).filter(
    (key) => wire[key] !== undefined,
  );
  const conditions = [...narrowing, ...(wire.modes.length > 0 ? ['modes'] : [])];
  // Without a condition a permission would cover more than it did, and a refusal by arguments would refuse all.
  if (conditions.length > 0 && (decision === 'allow' || wire.argsPattern !== undefined))
    return {
      rule: null,
      why: [`${conditions.join(', ')} cannot be expressed here, and without it the rule would be another`],
    };
  const why = conditions.map((key) => `applies whatever ${key} says`);
  const reason = wire.denyMessage ?? 'From the imported policies.';
  if (wire.commandPrefix !== undefined) {
    const prefixes = [wire.commandPrefix].flat().map((prefix) => prefix.trim());
    if (wire.allowRedirection && decision === 'allow') why.push('redirections are still asked about');
    return { rule: commandDraft(prefixes, decision, reason), why };
  }
  if (wire.commandRegex !== undefined) {
    if (decision === 'allow')
      return {
        rule: null,
        why: ['a permission by a regular expression is not carried over: it could widen'],
      };
    const rule = textDraft(`^(?:${wire.commandRegex})`, decision, reason);
    return rule
      ? { rule, why: [...why, 'is compared with the text, so another spelling gets past it'] }
      : { rule: null, why: ['has a regular expression that cannot be read'] };
  }
  return { rule: { ...toolCondition(wire), ...decided(decision, reason) }, why };
}

function toolCondition({ toolName, mcpName }: RuleWire): RuleDraft {
  const names = toolName === undefined ? [] : [toolName].flat();
  if (mcpName !== undefined) {
    const tools = names.length === 0 ? ['*'] : names;
    return { mcp: tools.map((tool) => `${mcpName}/${tool}`) };
  }
  if (names.length === 0 || names.includes('*')) return { tool: '*' };
  return { tool: names.map(NAMES.canonical) };
}
