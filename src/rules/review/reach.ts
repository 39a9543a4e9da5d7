import type { ToolKind } from '../../model/tools.ts';
import { deedKeys } from '../deeds/pattern.ts';
import { listed } from '../match/word-match.ts';
import type { ConditionsText } from '../schema.ts';

/** Which calls a rule can match at all; null means any. */
interface Reach {
  readonly agents: readonly string[] | null;
  /** Tool names as the rule has them. */
  readonly tools: readonly string[] | null;
  readonly kinds: readonly ToolKind[] | null;
}

/** What the conditions require, without looking at a call. */
export function staticScope(text: ConditionsText): Reach {
  return { agents: listed(text.agent), tools: listed(text.tool), kinds: kindsOf(text) };
}

function kindsOf(text: ConditionsText): readonly ToolKind[] | null {
  if (text.command !== undefined || text.coverage !== undefined) return ['shell'];
  // Only a program's words can have this deed, so no other tool matches.
  if (deedKeys(text)?.effects.length === 0) return ['shell'];
  if (text.mcp !== undefined) return ['mcp'];
  if (text.calm) return ['shell', 'read', 'search'];
  const kinds = new Set<ToolKind>();
  const add = (...some: readonly ToolKind[]) => {
    for (const kind of some) kinds.add(kind);
  };
  const effects = listed(text.effects)?.map((words) => words.trim().split(/\s+/)[0]) ?? [];
  if (effects.length > 0) add('shell');
  if (text.reads !== undefined || effects.includes('read')) add('shell', 'read', 'search');
  if (text.writes !== undefined || text.deletes !== undefined) add('shell', 'write');
  if (effects.includes('write') || effects.includes('delete')) add('write');
  if (text.links !== undefined || text.sends !== undefined) add('shell');
  if (text.host !== undefined) add('shell', 'network');
  return kinds.size === 0 ? null : [...kinds];
}
