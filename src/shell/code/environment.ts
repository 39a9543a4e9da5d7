import type { State } from '../memory/state.ts';
import { hasUnknown } from '../placeholders.ts';

const NAME = String.raw`\s*(?:'(\w+)'|"(\w+)")\s*`;
const READS = [
  String.raw`\b(?:os\.environ\.get|os\.getenv|getenv|ENV\.fetch|Deno\.env\.get|Sys\.getenv|os\.Getenv|System\.getenv)\(${NAME}\)`,
  String.raw`(?:\bprocess\.env|\bos\.environ|\benviron|\bENV|\bBun\.env|\$_(?:SERVER|ENV))\[${NAME}\]`,
  String.raw`\bprocess\.env\.(\w+)\b`,
  String.raw`"?\$ENV\{\s*['"]?(\w+)['"]?\s*\}"?`,
];
const READ = new RegExp(READS.join('|'), 'g');
const HINT = /env/i;
const MAX_VALUE = 2_000;

/** Replaces lookups of environment variables that the line has set with their values. */
export function withVariables(code: string, { variables }: State): string {
  if (variables.size === 0 || !HINT.test(code)) return code;
  const alias = /\bimport\s+environ\s+as\s+(\w+)/.exec(code)?.[1];
  const named = alias === undefined ? code : code.replace(new RegExp(`\\b${alias}\\[`, 'g'), 'environ[');
  return named.replace(READ, (whole, ...found: unknown[]) => {
    const name = found.find((one): one is string => typeof one === 'string' && one !== '' && one !== whole);
    const value = name === undefined ? undefined : variables.get(name)?.value;
    const isKnown = value !== undefined && value.length < MAX_VALUE && !hasUnknown(value);
    return isKnown ? JSON.stringify(value) : whole;
  });
}
