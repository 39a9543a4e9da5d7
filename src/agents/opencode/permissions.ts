import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../model/json.ts';
import {
  commandDraft,
  type DraftDecision,
  decided,
  type ImportNote,
  type RuleDraft,
} from '../../model/rule-drafts.ts';
import type { PermissionImport } from '../setup/imports.ts';
import { SettingsDocument } from '../setup/settings-json.ts';
import { NAMES } from './decode.ts';
import { type ClientNames, userFolder } from './setup.ts';

const WHY = 'From the imported permissions.';

/** `permission` in its settings: a decision for each tool, or for patterns of what it is called with (1.18.33). */
export function permissionsOf(names: Pick<ClientNames, 'id' | 'folder'>): PermissionImport {
  const { id, folder } = names;
  return {
    files: (context) =>
      [userFolder(names, context), context.cwd, join(context.cwd, `.${folder}`)]
        .flatMap((place) => [`${folder}.json`, `${folder}.jsonc`].map((name) => join(place, name)))
        .filter((path) => existsSync(path)),
    read(text, path) {
      const found = new SettingsDocument(text, { path, comments: true }).get(['permission']);
      const table = typeof found === 'string' ? { '*': found } : found;
      const notes: ImportNote[] = [];
      const rules = Object.entries(isObject(table) ? table : {}).flatMap(([permission, said]) => {
        const { drafts, why } = draftsOf(permission, said);
        for (const one of why) notes.push({ what: `permission.${permission}`, why: one });
        return drafts;
      });
      return { rules: rules.map((rule, at) => ({ id: `${id}/${at + 1}`, ...rule })), notes };
    },
  };
}

interface Drafts {
  readonly drafts: readonly RuleDraft[];
  readonly why: readonly string[];
}

function draftsOf(permission: string, said: unknown): Drafts {
  const table = typeof said === 'string' ? { '*': said } : said;
  if (!isObject(table)) return { drafts: [], why: ['cannot be read'] };
  const drafts: RuleDraft[] = [];
  const why: string[] = [];
  for (const [pattern, decision] of Object.entries(table)) {
    if (!isDecision(decision)) why.push(`"${pattern}" cannot be read`);
    else if (pattern === '*' && decision === 'allow' && Object.keys(table).length > 1)
      why.push('"*": "allow" is not carried over: here a permission is not a default that others override');
    else if (pattern === '*') drafts.push({ ...toolOf(permission), ...decided(decision, WHY) });
    else if (permission === 'bash') {
      const words = pattern.replace(/\s*\*$/, '').trim();
      if (/[*?]/.test(words)) why.push(`"${pattern}" has a pattern inside of it, which has no counterpart`);
      else drafts.push(commandDraft([words], decision, WHY, !pattern.endsWith('*')));
    } else if (permission === 'edit')
      drafts.push({ writes: pathOf(pattern, decision), ...decided(decision, WHY) });
    else if (permission === 'read')
      drafts.push({ reads: pathOf(pattern, decision), ...decided(decision, WHY) });
    else why.push(`"${pattern}" has no counterpart for ${permission}`);
  }
  if (Object.keys(table).length > 1) why.push('here the stricter rule wins, whatever its place in the list');
  return { drafts, why };
}

/** A `*` there also stands for folders: a refusal covers them here, too, and a permission does not. */
function pathOf(pattern: string, decision: DraftDecision): string {
  return decision === 'allow' || /^(?:[/~]|\*\*\/)/.test(pattern) ? pattern : `**/${pattern}`;
}

function isDecision(value: unknown): value is DraftDecision {
  return value === 'allow' || value === 'ask' || value === 'deny';
}

/** `edit` is about every tool that writes. */
function toolOf(permission: string): RuleDraft {
  if (permission === '*') return { tool: '*' };
  if (permission === 'edit') return { tool: ['Edit', 'Write', 'apply_patch'] };
  return { tool: NAMES.canonical(permission) };
}
