import type { HookEvent } from '../model/events.ts';

const ENV_FILE = /(?:^|[/\\])\.env(?:\.[\w.-]+)?$/;
const ENV_IN_COMMAND =
  /(?:^|[\s/'"=<])\.env(?:\.[\w-]+)?(?=$|[\s'";|&>)])|\bprintenv\b|(?:^|[;&|]\s*)env\s*(?:$|[|;&>])/;
const ASSIGNMENT = /^\s*(?:\d+[\t→|:]\s*)?(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/;
const SECRET_NAME = /key|secret|token|pass|pwd|credential|auth|private|dsn|salt|signature|webhook|conn/i;
/** Values that stand everywhere: hiding them would hide the text around them. */
const COMMON =
  /^(?:true|false|yes|no|on|off|null|none|\d+(?:\.\d+)?|[a-z]+|[A-Z]+|https?:\/\/[^@\s]*|[./~][\w./-]*|[\w.-]+:\d+)$/;

const SHORTEST = 6;
const SHORTEST_UNNAMED = 12;
const MOST_VALUES = 1_000;

const seen = new Set<string>();
let pattern: RegExp | null = null;

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

/** The text without those values. */
export function hideEnvValues(text: string): string {
  return pattern === null ? text : text.replace(pattern, '[redacted:env]');
}

function learn(text: string): void {
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', given = ''] = ASSIGNMENT.exec(line) ?? [];
    const value = given.replace(/^(['"])(.*)\1$/, '$2');
    const shortest = SECRET_NAME.test(name) ? SHORTEST : SHORTEST_UNNAMED;
    if (name === '' || value.length < shortest || COMMON.test(value) || seen.has(value)) continue;
    seen.add(value);
    const oldest = seen.size > MOST_VALUES ? seen.values().next() : null;
    if (oldest && !oldest.done) seen.delete(oldest.value);
    pattern = patternOf([...seen]);
  }
}

/** Both as it is and as it stands in JSON; the longest first, so that none leaves the end of another. */
function patternOf(values: readonly string[]): RegExp {
  const forms = new Set(values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]));
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
}

const MOST_TEXTS = 200;

function texts(value: unknown, found: string[] = []): readonly string[] {
  if (found.length >= MOST_TEXTS) return found;
  if (typeof value === 'string') found.push(value);
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) texts(one, found);
  return found;
}
