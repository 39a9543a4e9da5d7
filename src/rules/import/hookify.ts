import * as v from 'valibot';
import { parse } from 'yaml';
import { entryOf } from '../../model/lookup.ts';
import {
  type ImportedRules,
  type ImportNote,
  isExpression,
  type RuleDraft,
} from '../../model/rule-drafts.ts';

const condition = v.object({
  field: v.string(),
  operator: v.optional(v.string(), 'regex_match'),
  pattern: v.string(),
});
const frontmatter = v.looseObject({
  name: v.string(),
  enabled: v.optional(v.boolean(), true),
  event: v.optional(v.picklist(['bash', 'file', 'stop', 'prompt', 'all']), 'all'),
  pattern: v.optional(v.string()),
  conditions: v.optional(v.array(condition), []),
  action: v.optional(v.picklist(['warn', 'block']), 'warn'),
});
type Frontmatter = v.InferOutput<typeof frontmatter>;

/** One `hookify.*.local.md` file: conditions in the front matter, the message below. */
export function readHookify(text: string, path: string): ImportedRules {
  const [, head, body = ''] = /^---\n([\s\S]*?)\n---\n?([\s\S]*)$/.exec(text.replaceAll('\r\n', '\n')) ?? [];
  const parsed = v.safeParse(frontmatter, head === undefined ? null : parse(head));
  if (!parsed.success) return { rules: [], notes: [{ what: path, why: 'has no valid front matter' }] };
  const given = parsed.output;
  const what = given.name;
  const notes: ImportNote[] = [];
  if (!given.enabled) return { rules: [], notes: [{ what, why: 'is disabled and was skipped' }] };
  const message = body.trim() || `Rule ${given.name}.`;
  const when = expressionOf(given);
  if ('problem' in when) return { rules: [], notes: [{ what, why: when.problem }] };
  if (given.action === 'block' && (given.event === 'bash' || given.event === 'file'))
    notes.push({ what, why: 'matches text only, so it misses other spellings' });
  if (given.event === 'file')
    notes.push({
      what,
      why: 'matches arguments of the call, which some agents name differently',
    });
  const said = given.action === 'block' ? { deny: message } : { notify: message, context: message };
  const rule: RuleDraft = {
    id: `hookify/${given.name}`,
    ...conditionsOf(given),
    ...when.conditions,
    ...said,
  };
  return { rules: [rule], notes };
}

function conditionsOf({ event }: Frontmatter): RuleDraft {
  switch (event) {
    case 'bash':
      return { tool: 'Bash' };
    case 'file':
      return { tool: ['Edit', 'Write', 'NotebookEdit'] };
    case 'stop':
      return { on: 'turn_end' };
    case 'prompt':
      return { on: 'turn_start' };
    default:
      return { on: 'tool' };
  }
}

/** Our name for each field; several if agents differ. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  command: ['tool.command'],
  file_path: ['tool.files[0].path'],
  new_text: ['tool.input.new_string', 'tool.input.content'],
  new_string: ['tool.input.new_string'],
  content: ['tool.input.content', 'tool.input.new_string'],
  old_text: ['tool.input.old_string'],
  old_string: ['tool.input.old_string'],
  user_prompt: ['event.prompt'],
};
const DEFAULT_FIELD: Readonly<Record<Frontmatter['event'], string | null>> = {
  bash: 'command',
  file: 'new_text',
  prompt: 'user_prompt',
  stop: null,
  all: null,
};

function expressionOf(given: Frontmatter): { readonly conditions: RuleDraft } | { readonly problem: string } {
  const field = DEFAULT_FIELD[given.event];
  const simple = given.pattern === undefined || given.pattern === '.*' ? [] : [given.pattern];
  if (simple.length > 0 && field === null)
    return { problem: `a pattern on the event "${given.event}" is not supported` };
  const wanted = [
    ...simple.map((pattern) => ({ field: field ?? '', operator: 'regex_match', pattern })),
    ...given.conditions,
  ];
  const tests: string[] = [];
  for (const one of wanted) {
    const test = testOf(one);
    if (test === null) return { problem: `the condition on ${one.field} (${one.operator}) is not supported` };
    tests.push(test);
  }
  return { conditions: tests.length === 0 ? {} : { when: tests.join(' && ') } };
}

function testOf({ field, operator, pattern }: v.InferOutput<typeof condition>): string | null {
  const places = entryOf(FIELDS, field);
  const compare = entryOf(OPERATORS, operator);
  if (!places || !compare || (operator === 'regex_match' && !isExpression(pattern))) return null;
  const negated = operator === 'not_contains';
  const texts = places.map((place) => {
    const has = place.startsWith('tool.input.') ? `has(${place}) && ` : '';
    return `(${has}${compare(place, JSON.stringify(pattern))})`;
  });
  return negated ? `!(${texts.join(' || ')})` : `(${texts.join(' || ')})`;
}

const OPERATORS: Readonly<Record<string, (place: string, text: string) => string>> = {
  regex_match: (place, text) => `${place}.matches(${text})`,
  contains: (place, text) => `${place}.contains(${text})`,
  not_contains: (place, text) => `${place}.contains(${text})`,
  equals: (place, text) => `${place} == ${text}`,
  starts_with: (place, text) => `${place}.startsWith(${text})`,
  ends_with: (place, text) => `${place}.endsWith(${text})`,
};
