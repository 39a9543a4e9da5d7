import type { ConditionsText } from '../schema.ts';
import { expandBraces, tooManyAlternatives } from './braces.ts';
import { listed } from './word-match.ts';

const MAX_PATTERN_CHARS = 1_000;

const PATHS = ['reads', 'writes', 'deletes', 'links', 'cwd'] as const;
const WORDS = ['agent', 'tool', 'command', 'host', 'mcp', 'branch', 'effects', 'exists'] as const;

/** The problem with the patterns of a rule, found before they are compiled; null if there is none. */
export function patternProblem(text: ConditionsText): string | null {
  for (const key of [...PATHS, ...WORDS]) {
    for (const pattern of listed(text[key]) ?? []) {
      const problem = problemOf(pattern) ?? (isPath(key) ? pathProblem(pattern) : null);
      if (problem !== null) return `${key}: ${problem}`;
    }
  }
  return null;
}

function isPath(key: string): boolean {
  return PATHS.some((one) => one === key);
}

function problemOf(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN_CHARS)
    return `"${pattern.slice(0, 60)}…" is longer than ${MAX_PATTERN_CHARS} characters`;
  return expandBraces(pattern) === null ? tooManyAlternatives(pattern) : null;
}

/** Rejects syntax that only some shells support: reading it differently would forbid something else. */
function pathProblem(pattern: string): string | null {
  return /(?<!\\)[@!+?*]\(/.test(pattern)
    ? `"${pattern}" has a group with parentheses; write {a,b} for alternatives, or unless: for exceptions`
    : null;
}
