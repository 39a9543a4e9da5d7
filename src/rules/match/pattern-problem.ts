import type { ConditionsText } from '../schema.ts';
import { expandBraces, tooManyAlternatives } from './braces.ts';
import { listed } from './word-match.ts';

const MAX_PATTERN_CHARS = 1_000;

const PATHS = ['reads', 'writes', 'deletes', 'links', 'cwd'] as const;
const WORDS = ['agent', 'tool', 'command', 'host', 'mcp', 'branch', 'effects', 'exists'] as const;

/** What is wrong with the patterns of a rule, asked before any of them is compiled; null when nothing is. */
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

/** A shell option, not a part of ours: read as anything else, it would forbid something else. */
function pathProblem(pattern: string): string | null {
  return /(?<!\\)[@!+?*]\(/.test(pattern)
    ? `"${pattern}" has a group with parentheses; write {a,b} for alternatives, or unless: for exceptions`
    : null;
}
