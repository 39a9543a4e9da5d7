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
  textDraft,
} from '../../model/rule-drafts.ts';
import type { PlacedHandler } from '../setup/hook-groups.ts';
import { type AgentImports, type HookSource, importsFrom, type PermissionImport } from '../setup/imports.ts';
import type { SetupContext } from '../setup/setup.ts';
import { installedPlugins } from './plugins.ts';
import { settings as hookSettings, settingsPath } from './setup.ts';

const shared = {
  timeout: v.optional(v.number()),
  if: v.optional(v.string()),
  onFailure: v.optional(v.string()),
};
const command = v.looseObject({
  ...shared,
  type: v.literal('command'),
  command: v.string(),
  args: v.optional(v.array(v.string())),
  shell: v.optional(v.string()),
  async: v.optional(v.boolean()),
  asyncRewake: v.optional(v.boolean()),
});
const http = v.looseObject({
  ...shared,
  type: v.literal('http'),
  url: v.string(),
  headers: v.optional(v.record(v.string(), v.string())),
  allowedEnvVars: v.optional(v.array(v.string())),
});

const prompt = v.looseObject({ ...shared, type: v.literal('prompt'), prompt: v.string() });

/** Hooks of settings and of installed plugins. */
export const imports: AgentImports = importsFrom({
  id: 'claude',
  sources,
  groups: hookSettings.groups,
  entry,
});

function sources(context: SetupContext): readonly HookSource[] {
  const user = settingsPath({ ...context, scope: 'user' });
  const project = (name: string) => ({ path: join(context.cwd, '.claude', name), project: context.cwd });
  const own = [{ path: user, project: null }, project('settings.json'), project('settings.local.json')];
  return [
    ...own.filter(({ path }, at) => own.findIndex((one) => one.path === path) === at),
    ...plugins(context),
  ];
}

/** Hooks of plugins that are not switched off. */
function plugins(context: SetupContext): readonly HookSource[] {
  return installedPlugins(context).flatMap(({ root, enabled }) => {
    const path = join(root, 'hooks', 'hooks.json');
    if (enabled === false || !existsSync(path)) return [];
    return [{ path, project: null, env: { CLAUDE_PLUGIN_ROOT: root } }];
  });
}

function entry({ event, handler }: PlacedHandler) {
  if (event === 'WorktreeCreate') return { why: 'it has to make the worktree itself' };
  const isCommand = v.is(command, handler);
  const isPrompt = v.is(prompt, handler);
  if (!isCommand && !isPrompt && !v.is(http, handler))
    return { why: 'only command, http and prompt hooks can be moved' };
  if (handler.if !== undefined) return { why: 'only Claude Code can evaluate its "if"' };
  const common = {
    ...(handler.timeout === undefined ? {} : { timeout: `${handler.timeout}s` }),
    ...(handler.onFailure === 'block' ? { failure: 'closed' } : {}),
  };
  if (isPrompt) return { type: 'prompt', ...common, prompt: wholePrompt(handler.prompt) };
  if (!isCommand) {
    const { url, headers, allowedEnvVars } = handler;
    return {
      type: 'http',
      ...common,
      url,
      ...(headers ? { headers } : {}),
      ...(allowedEnvVars ? { allowedEnvVars } : {}),
    };
  }
  if (handler.shell === 'powershell') return { why: 'it is written for PowerShell' };
  if (handler.asyncRewake) return { why: 'it wakes the agent up later, which only Claude Code can do' };
  return {
    type: 'command',
    ...common,
    command: handler.command,
    ...(handler.args ? { args: handler.args } : {}),
    ...(handler.async ? { background: true } : {}),
  };
}

/** The client adds what is asked about, and in which form it wants the answer, where a prompt does not say it. */
function wholePrompt(text: string): string {
  const asked = text.includes('$ARGUMENTS') ? text : `${text}\n\n$ARGUMENTS`;
  return /"(?:ok|decision)"/.test(text) ? asked : `${asked}\n\nAnswer {"ok": true or false, "reason": "…"}.`;
}

const list = v.optional(v.array(v.string()), []);
const permissionSettings = v.looseObject({
  permissions: v.optional(v.looseObject({ allow: list, ask: list, deny: list }), {
    allow: [],
    ask: [],
    deny: [],
  }),
});
const DECISIONS: readonly DraftDecision[] = ['deny', 'ask', 'allow'];

/** Permission rules of Claude Code, `Tool` or `Tool(specifier)`, as rules for every agent. */
export const permissions: PermissionImport = {
  files({ home, cwd }) {
    const names = [
      join(home, '.claude/settings.json'),
      join(cwd, '.claude/settings.json'),
      join(cwd, '.claude/settings.local.json'),
    ];
    return names.filter((name) => existsSync(name));
  },
  read(text, path) {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), permissionSettings), text);
    if (!parsed.success)
      throw new HooklineError('SETTINGS_UNREADABLE', `${path}: ${parsed.issues[0].message}`);
    const { permissions: given } = parsed.output;
    const rules: RuleDraft[] = [];
    const notes: ImportNote[] = [];
    for (const decision of DECISIONS) {
      for (const entry of given[decision]) {
        const { rule, note } = carried(entry, decision);
        if (rule) rules.push({ id: draftId('claude', decision, entry), ...rule });
        if (note) notes.push({ what: `${decision} ${entry}`, why: note });
      }
    }
    for (const key of Object.keys(given)) {
      if (key !== 'allow' && key !== 'ask' && key !== 'deny')
        notes.push({ what: `permissions.${key}`, why: 'is not a rule about calls and stays where it is' });
    }
    return { rules, notes };
  },
};

interface Carried {
  readonly rule: RuleDraft | null;
  readonly note?: string;
}

const lost = (note: string): Carried => ({ rule: null, note });

function carried(entry: string, decision: DraftDecision): Carried {
  const [, tool = '', specifier] = /^([\w-]+)(?:\((.*)\))?$/s.exec(entry) ?? [];
  if (tool === '') return lost('is not of the form Tool(specifier)');
  const why = `${entry} in the imported permissions.`;
  if (tool.startsWith('mcp__')) return { rule: { mcp: serverTool(tool), ...decided(decision, why) } };
  if (specifier === undefined || specifier === '*') return { rule: { tool, ...decided(decision, why) } };
  switch (tool) {
    case 'Bash':
      return bash(specifier, decision, why);
    case 'Read':
    case 'Edit':
    case 'Write':
      return file(tool, specifier, decision, why);
    case 'WebFetch': {
      const [, host] = /^domain:(.+)$/.exec(specifier) ?? [];
      if (host === undefined) return lost('has a specifier other than domain:');
      return { rule: { tool, host, ...decided(decision, why) } };
    }
    case 'Agent':
    case 'Task':
      return {
        rule: {
          tool: 'Task',
          when: `tool.input.subagent_type == ${JSON.stringify(specifier)}`,
          ...decided(decision, why),
        },
        note: 'applies only to this agent’s own subagents: others have other names',
      };
    default:
      return lost(`a specifier of ${tool} has no counterpart`);
  }
}

/** `mcp__server`, `mcp__server__*` and `mcp__server__tool`. */
function serverTool(name: string): string {
  const [, server = '', tool] = /^mcp__(.+?)(?:__(.+))?$/.exec(name) ?? [];
  return tool === undefined || tool === '*' ? server : `${server}/${tool}`;
}

function bash(specifier: string, decision: DraftDecision, why: string): Carried {
  const [, prefix] = /^([^*]+?)(?::\*|\s\*)$/.exec(specifier) ?? [];
  if (prefix !== undefined) {
    const rule = commandDraft([prefix], decision, why);
    return decision === 'allow'
      ? {
          rule,
          note: 'covers further words, but no options that it does not name: some of them run other programs',
        }
      : { rule };
  }
  if (!specifier.includes('*')) {
    return {
      rule: commandDraft([specifier], decision, why, true),
      ...(decision === 'allow' ? {} : { note: 'also applies with further arguments' }),
    };
  }
  if (decision === 'allow')
    return lost('a permission with * inside a command is not carried over: it could widen');
  const expression = `^${specifier.split('*').map(escaped).join('.*')}$`;
  return {
    rule: textDraft(expression, decision, why),
    note: 'is compared with the text of the whole line, so another spelling gets past it',
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.|?+()[\]{}]/g, '\\$&');
}

const WRITING = ['Edit', 'Write', 'NotebookEdit'];

function file(tool: string, specifier: string, decision: DraftDecision, why: string): Carried {
  const path = pathOf(specifier);
  if (path === null) return lost('a path relative to the settings file has no counterpart');
  const access = tool === 'Read' ? 'reads' : 'writes';
  if (decision === 'allow') {
    // A patch may write several files, of which this names one.
    const alone = {
      tool: tool === 'Read' ? 'Read' : WRITING,
      [access]: path,
      when: 'tool.files.size() == 1',
    };
    return { rule: { ...alone, ...decided(decision, why) } };
  }
  return {
    rule: { [access]: path, ...decided(decision, why) },
    note: 'also applies to commands that touch the file',
  };
}

/** Patterns as in .gitignore files: `//` is the root, `~/` the home, a name without a slash lies anywhere. */
function pathOf(specifier: string): string | null {
  if (specifier.startsWith('//')) return specifier.slice(1);
  if (specifier.startsWith('/')) return null;
  if (specifier.startsWith('~/') || specifier.startsWith('**')) return specifier;
  const path = specifier.replace(/^\.\//, '');
  if (specifier.startsWith('./')) return path;
  return path.replace(/\/$/, '').includes('/') ? path : `**/${path}`;
}
