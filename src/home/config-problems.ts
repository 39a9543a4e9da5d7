import * as v from 'valibot';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { suggestion } from '../model/suggestion.ts';
import { counted } from '../model/text.ts';

/** One thing that is wrong in a settings file. */
interface Problem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

type Result<T> = { readonly value: T } | { readonly problems: readonly Problem[] };
type Schema<T> = v.GenericSchema<unknown, T>;

/** Reads settings; everything that is wrong with them at once, in the order of the file. */
export function readYaml<T>(text: string, schema: Schema<T>): Result<T> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (document.errors.length > 0)
    return {
      problems: document.errors.map(({ message, pos }) => ({
        ...at(pos[0]),
        message: message.split(/ at line \d|\n/)[0] ?? message,
      })),
    };
  const parsed = v.safeParse(schema, document.toJS() ?? {});
  if (parsed.success) return { value: parsed.output };
  const problems = parsed.issues.map((issue) => {
    const keys = keysOf(issue);
    const name = keys.join('.');
    const message = complaint(issue, schema, keys);
    return {
      ...at(offsetOf(document, keys, isUnknown(issue))),
      message: name ? `${name}: ${message}` : message,
    };
  });
  return { problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}

/** All problems of a file as one text: a line for each. */
export function problemText(path: string, problems: readonly Problem[]): string {
  const [first] = problems;
  if (first && problems.length === 1) return `${path}:${first.line}:${first.column}: ${first.message}`;
  const lines = problems.map(({ line, column, message }) => `  ${line}:${column}  ${message}`);
  return [`${path} has ${counted(problems.length, 'problem')}:`, ...lines].join('\n');
}

type Issue = v.BaseIssue<unknown>;

/** A list where settings belong: to the validator its items are settings with numbers for names. */
function isItem({ path }: Issue): boolean {
  return Array.isArray(path?.at(-1)?.input);
}

function keysOf(issue: Issue): readonly unknown[] {
  const keys = issue.path?.map(({ key }) => key) ?? [];
  return isUnknown(issue) && isItem(issue) ? keys.slice(0, -1) : keys;
}

function isUnknown({ type, expected }: Issue): boolean {
  return type === 'strict_object' && expected === 'never';
}

function complaint(issue: Issue, schema: v.GenericSchema, keys: readonly unknown[]): string {
  if (isUnknown(issue)) {
    if (isItem(issue)) return `must be ${KINDS.strict_object}, not a list`;
    const known = Object.keys(entriesOf(schemaAt(schema, keys.slice(0, -1))));
    const meant = suggestion(String(keys.at(-1)), known);
    return `unknown setting; ${meant ?? `the settings here are ${known.join(', ')}`}`;
  }
  const choices = choicesOf(issue);
  if (choices.length === 0) return mustBe(issue);
  const { input } = issue;
  const meant = typeof input === 'string' ? suggestion(input, choices) : null;
  return `must be ${listed(choices)}${meant === null ? '' : `, not ${JSON.stringify(input)}; ${meant}`}`;
}

function choicesOf(issue: Issue): readonly string[] {
  return issue.requirement !== undefined || issue.type !== 'picklist' || issue.expected === null
    ? []
    : [...issue.expected.matchAll(/"([^"]*)"/g)].map(([, choice = '']) => choice);
}

const KINDS: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  string: 'text',
  number: 'a number',
  array: 'a list',
  strict_object: 'settings of its own, with `key: value` below it',
  record: 'settings of its own, with `key: value` below it',
  integer: 'a whole number',
};

/** Settings with a sentence of their own have that; the validator's words are for programmers. */
function mustBe(issue: Issue): string {
  const { type, message, input, requirement } = issue;
  if (!message.startsWith('Invalid ')) return message;
  const limit = type === 'min_value' ? 'at least' : type === 'max_value' ? 'at most' : null;
  const what = limit === null ? (KINDS[type] ?? `${issue.expected}`) : `${limit} ${String(requirement)}`;
  return `must be ${what}, not ${limit === null ? kindOf(input) : String(input)}`;
}

/** Not the value: it may be a token, or an address with a secret in it. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'settings';
  return KINDS[typeof value] ?? typeof value;
}

function listed(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join() : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}

/** Where a setting stands in the text: its name if that is unknown, else its value. */
function offsetOf(document: Document, keys: readonly unknown[], byName: boolean): number {
  const above = document.getIn(keys.slice(0, -1), true);
  if (byName && above && typeof above === 'object' && 'items' in above && Array.isArray(above.items)) {
    const pair = above.items.find((one) => String(one?.key) === String(keys.at(-1)));
    if (isNode(pair?.key)) return pair.key.range?.[0] ?? 0;
  }
  const node = keys.length === 0 ? document.contents : document.getIn(keys, true);
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

function schemaAt(schema: v.GenericSchema, keys: readonly unknown[]): v.GenericSchema | null {
  return keys.reduce<v.GenericSchema | null>((at, key) => entriesOf(at)[String(key)] ?? null, schema);
}

/** The settings below one; optional and nullable ones are wrapped. */
function entriesOf(schema: v.GenericSchema | null): Readonly<Record<string, v.GenericSchema>> {
  if (schema === null) return {};
  if (hasEntries(schema)) return schema.entries;
  return isWrapped(schema) ? entriesOf(schema.wrapped) : {};
}

function hasEntries(
  schema: v.GenericSchema,
): schema is v.GenericSchema & { entries: Record<string, v.GenericSchema> } {
  return 'entries' in schema;
}

function isWrapped(schema: v.GenericSchema): schema is v.GenericSchema & { wrapped: v.GenericSchema } {
  return 'wrapped' in schema;
}
