import type { Grant } from '../../../model/responses.ts';
import type { ToolCall } from '../../../model/tools.ts';
import { quotedWords } from './command-line.ts';

/** How an acceptance is remembered, and what of the grants is lost. */
export interface Remembered {
  readonly how: 'once' | 'session' | 'always';
  /** For `always` on a command: the words that later commands have to begin with. */
  readonly prefix: readonly string[] | null;
  /** Why it is not what the grants say; null when it is. */
  readonly lost: string | null;
}

const ONCE: Remembered = { how: 'once', prefix: null, lost: null };

/**
 * The widest of the grants that can be passed to Codex without allowing more than they say. Its own rule file applies
 * to every project, so a grant for one project is kept for the session only.
 */
export function rememberAs(
  grants: readonly Grant[] | undefined,
  tool: ToolCall,
  proposed: readonly string[],
): Remembered {
  if (!grants || grants.length === 0) return ONCE;
  const fitting = grants.filter((grant) => grant.behavior === 'allow' && covers(grant, tool, proposed));
  if (fitting.length === 0) {
    return { ...ONCE, lost: 'Codex can remember no more than the call that it asks about.' };
  }
  const partly = fitting.length < grants.length ? 'Some of the grants are not about this call.' : null;
  const permanent = fitting.find(({ scope }) => scope === 'user');
  if (permanent && tool.mcp) return { how: 'always', prefix: null, lost: partly };
  const prefix = permanent ? prefixOf(permanent.pattern) : null;
  if (prefix) return { how: 'always', prefix, lost: partly };
  const exact = fitting.some(({ scope, pattern }) => scope === 'session' && isExactly(tool, pattern));
  return {
    how: 'session',
    prefix: null,
    lost: exact ? partly : 'Codex remembers this very call until the session ends, and nothing wider.',
  };
}

function covers({ tool: name, pattern }: Grant, tool: ToolCall, proposed: readonly string[]): boolean {
  if (name !== tool.name && name !== tool.nativeName) return false;
  if (pattern === null || pattern === tool.command) return true;
  const prefix = prefixOf(pattern);
  return prefix?.every((word, at) => word === proposed[at]) ?? false;
}

/** A pattern such as `npm test:*` as words; null for what is not a plain beginning of a command. */
function prefixOf(pattern: string | null): readonly string[] | null {
  if (!pattern?.endsWith(':*')) return null;
  const beginning = pattern.slice(0, -':*'.length);
  const words = /[*?[\]{}$`|&;<>()]/.test(beginning) ? null : quotedWords(beginning);
  return words && words.length > 0 ? words : null;
}

function isExactly(tool: ToolCall, pattern: string | null): boolean {
  return pattern === null ? tool.command === null : pattern === tool.command;
}
