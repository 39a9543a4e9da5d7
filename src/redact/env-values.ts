import type { HookEvent } from '../model/events.ts';
import { type Findings, NONE } from './text/findings.ts';
import { Literals } from './text/literals.ts';
import type { Reader } from './text/reader.ts';

const ENV_FILE = /(?:^|[/\\])\.env(?:\.[\w.-]+)?$/;
const ENV_IN_COMMAND =
  /(?:^|[\s/'"=<])\.env(?:\.[\w-]+)?(?=$|[\s'";|&>)])|\bprintenv\b|(?:^|[;&|]\s*)env\s*(?:$|[|;&>])/;
/** A line number that an editor adds. */
const LINE_NUMBER = /^\d+[\t→|:]/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,100}$/;
const SECRET_NAME = /key|secret|token|pass|pwd|credential|auth|private|dsn|salt|signature|webhook|conn/i;
/** Values that stand everywhere: hiding them would hide the text around them. */
const COMMON =
  /^(?:true|false|yes|no|on|off|null|none|\d+(?:\.\d+)?|[a-z]+|[A-Z]+|https?:\/\/[^@\s]*|[./~][\w./-]*|[\w.-]+:\d+)$/;

const SHORTEST = 6;
const SHORTEST_UNNAMED = 12;
const LONGEST = 4_096;
const LONGEST_LINE = 8_192;
const MOST_VALUES = 1_000;
/** Of all values together: each added value rebuilds their tree. */
const MOST_CHARACTERS = 60_000;

const seen = new Set<string>();
let characters = 0;
let learned = 0;
/** Null until it is needed again. */
let literals: Literals | null = null;

/** Remembers the values of a `.env` that an agent has looked at, to keep them out of everything from then on. */
export function learnEnvValues(event: HookEvent): void {
  if (event.type !== 'after_tool') return;
  const { tool } = event;
  const isEnv =
    tool.files.some(({ path }) => ENV_FILE.test(path)) ||
    (tool.command !== null && ENV_IN_COMMAND.test(tool.command));
  if (!isEnv) return;
  for (const text of texts(tool.response)) learn(text);
  for (const text of texts(tool.input)) learn(text);
}

/** How often a value was added. Text redacted before may be redacted differently afterwards. */
export function envValuesLearned(): number {
  return learned;
}

/** All of them, for a thread that redacts as well. */
export function envValues(): readonly string[] {
  return [...seen];
}

/** In that thread: replaces the known values. */
export function useEnvValues(values: readonly string[]): void {
  if (values.length === seen.size && values.every((value) => seen.has(value))) return;
  seen.clear();
  characters = 0;
  for (const value of values) remember(value);
  // Also where only some were dropped.
  learned += 1;
  literals = null;
}

/** Those values in a text. */
export function findEnvValues(reader: Reader): Findings {
  if (seen.size === 0) return NONE;
  // Both raw and as escaped in JSON.
  literals ??= new Literals([
    ...new Set([...seen].flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])),
  ]);
  return literals.findIn(reader, '[redacted:env]');
}

function learn(text: string): void {
  for (const line of text.split('\n')) {
    if (line.length > LONGEST_LINE) continue;
    const assignment = line.trim().replace(LINE_NUMBER, '').trimStart();
    const equals = assignment.indexOf('=');
    if (equals < 1) continue;
    const name = assignment
      .slice(0, equals)
      .trim()
      .replace(/^export\s+/, '');
    const value = assignment
      .slice(equals + 1)
      .trim()
      .replace(/^(['"])(.*)\1$/, '$2');
    const shortest = SECRET_NAME.test(name) ? SHORTEST : SHORTEST_UNNAMED;
    if (!NAME.test(name) || value.length < shortest || value.length > LONGEST || COMMON.test(value)) continue;
    remember(value);
  }
}

function remember(value: string): void {
  if (seen.has(value)) return;
  seen.add(value);
  learned += 1;
  characters += value.length;
  literals = null;
  for (const oldest of seen) {
    if (seen.size <= MOST_VALUES && characters <= MOST_CHARACTERS) break;
    seen.delete(oldest);
    characters -= oldest.length;
  }
}

const MOST_TEXTS = 200;

function texts(value: unknown, found: string[] = []): readonly string[] {
  if (found.length >= MOST_TEXTS) return found;
  if (typeof value === 'string') found.push(value);
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) texts(one, found);
  return found;
}
