import { existsSync } from 'node:fs';
import { join } from 'node:path';
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
import type { PermissionImport } from '../permissions.ts';

const list = v.optional(v.array(v.string()), []);
const settings = v.looseObject({
  permissions: v.optional(v.looseObject({ allow: list, ask: list, deny: list }), {
    allow: [],
    ask: [],
    deny: [],
  }),
});
const DECISIONS: readonly DraftDecision[] = ['deny', 'ask', 'allow'];

/** Permission rules of Claude Code, `Tool` or `Tool(specifier)`, as rules that hold on every agent. */
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
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), settings), text);
    if (!parsed.success)
      throw new HooklineError('SETTINGS_UNREADABLE', `${path}: ${parsed.issues[0].message}`);
    const { permissions: given } = parsed.output;
    const rules: RuleDraft[] = [];
    const notes: ImportNote[] = [];
    for (const decision of DECISIONS) {
      for (const entry of given[decision]) {
        const { rule, note } = carried(entry, decision);
        if (rule) rules.push({ id: idOf(decision, entry), ...rule });
        if (note) notes.push({ what: `${decision} ${entry}`, why: note });
      }
    }
    for (const key of Object.keys(given)) {
      if (key !== 'allow' && key !== 'ask' && key !== 'deny')
        notes.push({ what: `permissions.${key}`, why: 'is no rule about calls and stays where it is' });
    }
    return { rules, notes };
  },
};

interface Carried {
  readonly rule: RuleDraft | null;
  readonly note?: string;
}

const lost = (note: string): Carried => ({ rule: null, note });

function idOf(decision: DraftDecision, entry: string): string {
  return `claude/${decision}/${entry.replace(/[^\w.-]+/g, '-').replace(/^-+|-+$/g, '') || 'rule'}`;
}

function carried(entry: string, decision: DraftDecision): Carried {
  const [, tool = '', specifier] = /^([\w-]+)(?:\((.*)\))?$/s.exec(entry) ?? [];
  if (tool === '') return lost('is not of the form Tool(specifier)');
  const why = `${entry} of the imported permissions.`;
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
        note: 'holds for this agent’s own subagents only: others name them otherwise',
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
  if (prefix !== undefined) return { rule: commandDraft([prefix], decision, why) };
  if (!specifier.includes('*')) {
    return {
      rule: commandDraft([specifier], decision, why, true),
      ...(decision === 'allow' ? {} : { note: 'holds with further arguments as well' }),
    };
  }
  if (decision === 'allow')
    return lost('a permission with * inside a command is not carried over: it could widen');
  const expression = `^${specifier.split('*').map(escaped).join('.*')}$`;
  return {
    rule: textDraft(expression, decision, why),
    note: 'is compared with the text of the whole line, so that another spelling gets past it',
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.|?+()[\]{}]/g, '\\$&');
}

const WRITING = ['Edit', 'Write', 'NotebookEdit'];

function file(tool: string, specifier: string, decision: DraftDecision, why: string): Carried {
  const path = pathOf(specifier);
  if (path === null) return lost('a path from the folder of the settings file has no counterpart');
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
    note: 'holds for commands that touch the file as well',
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
