import { join } from 'node:path';
import * as v from 'valibot';
import { HooklineError } from '../../model/errors.ts';
import {
  commandDraft,
  type DraftDecision,
  type ImportNote,
  type RuleDraft,
} from '../../model/rule-drafts.ts';
import { shellWord } from '../../platform/shell-words.ts';
import { listHandlers, type PlacedHandler } from '../setup/hook-groups.ts';
import {
  type AgentImports,
  filesIn,
  importsFrom,
  type PermissionImport,
  scopedSources,
} from '../setup/imports.ts';
import { readSettings } from '../setup/settings-json.ts';
import { changed, type FileEdit, type SetupContext } from '../setup/setup.ts';
import { configPath, hooksPath, settings } from './setup.ts';
import { withoutTrust } from './trust.ts';

const command = v.looseObject({
  type: v.literal('command'),
  command: v.string(),
  timeout: v.nullish(v.number()),
  async: v.nullish(v.boolean()),
});

/** Hooks of hooks.json, with what the user's settings say about trust in them. */
export const imports: AgentImports = importsFrom({
  id: 'codex',
  sources: (context) => scopedSources(context, hooksPath),
  groups: settings.groups,
  entry,
  also,
});

function entry({ handler }: PlacedHandler) {
  if (!v.is(command, handler)) return { why: 'only command hooks can be moved' };
  return {
    type: 'command',
    command: handler.command,
    ...(typeof handler.timeout === 'number' ? { timeout: `${Math.max(handler.timeout, 1)}s` } : {}),
    ...(handler.async ? { background: true } : {}),
  };
}

/** The client knows a hook by its place, so that those behind a removed one would not be trusted any more. */
function also(
  context: SetupContext,
  { path, before, after }: FileEdit,
  removed: readonly PlacedHandler[],
): readonly FileEdit[] {
  const file = configPath(context);
  const config = readSettings(file);
  if (config === null || before === null || after === null) return [];
  const [was, is] = [before, after].map((text) => listHandlers(text, settings.groups(path)));
  const isRemoved = (one: PlacedHandler) =>
    removed.some(
      ({ event, group, index }) => one.event === event && one.group === group && one.index === index,
    );
  const change = { path, before: was ?? [], after: is ?? [] };
  return changed({ path: file, before: config, after: withoutTrust(config, file, change, isRemoved) });
}

const example = v.union([v.string(), v.array(v.string())]);
const prefixRule = v.object({
  pattern: v.pipe(v.array(v.union([v.string(), v.array(v.string())])), v.nonEmpty()),
  decision: v.optional(v.picklist(['allow', 'prompt', 'forbidden']), 'allow'),
  justification: v.optional(v.string()),
  match: v.optional(v.array(example), []),
  not_match: v.optional(v.array(example), []),
});

const DECISIONS = { allow: 'allow', prompt: 'ask', forbidden: 'deny' } as const satisfies Record<
  string,
  DraftDecision
>;

/** Exec-policy rules of Codex (`*.rules`), as rules for every agent. */
export const permissions: PermissionImport = {
  files: ({ home, cwd, env }) =>
    filesIn([join(env.CODEX_HOME || join(home, '.codex'), 'rules'), join(cwd, '.codex/rules')], '.rules'),
  read(text, path) {
    const { calls, problem } = readRuleCalls(text);
    if (problem !== null) throw new HooklineError('SETTINGS_UNREADABLE', `${path}: ${problem}`);
    const rules: RuleDraft[] = [];
    const notes: ImportNote[] = [];
    for (const call of calls) {
      const { rule, note } = carried(call, rules.length + 1);
      if (rule) rules.push(rule);
      if (note) notes.push({ what: `line ${call.line}: ${call.name}`, why: note });
    }
    return { rules, notes };
  },
};

function carried(call: RuleCall, number: number): { rule: RuleDraft | null; note?: string } {
  if (call.name !== 'prefix_rule') return { rule: null, note: 'has no counterpart' };
  const parsed = v.safeParse(prefixRule, call.args);
  if (!parsed.success) return { rule: null, note: `cannot be read: ${parsed.issues[0].message}` };
  const { pattern, decision, justification, match, not_match } = parsed.output;
  const prefixes = spelled(pattern);
  const why = justification ?? `${prefixes[0]} of the imported rules.`;
  const tests = { match: match.map(lineOf), pass: not_match.map(lineOf) };
  const id = `codex/${number}-${(prefixes[0] ?? '').replace(/[^\w.-]+/g, '-')}`;
  const strict = decision !== 'allow';
  // A pattern is found among the flags wherever they stand, so that what was not an example of it may be one here.
  const kept = strict ? { match: tests.match, pass: [] } : tests;
  return {
    rule: {
      id,
      ...commandDraft(prefixes, DECISIONS[decision], why),
      ...(kept.match.length + kept.pass.length > 0 ? { tests: kept } : {}),
    },
    ...(strict
      ? { note: 'also applies to other orders of the same words, and inside sh -c and the like' }
      : {}),
  };
}

/** Every way in which the alternatives of a pattern can be put together. */
function spelled(pattern: readonly (string | readonly string[])[]): string[] {
  return pattern.reduce<string[]>(
    (begun, token) => {
      const words = (typeof token === 'string' ? [token] : token).map(shellWord);
      return begun.flatMap((text) => words.map((word) => (text === '' ? word : `${text} ${word}`)));
    },
    [''],
  );
}

function lineOf(given: string | readonly string[]): string {
  return typeof given === 'string' ? given : given.map(shellWord).join(' ');
}

/** One call at the top level of a rules file, with the arguments that it names. */
interface RuleCall {
  readonly name: string;
  readonly line: number;
  readonly args: Readonly<Record<string, unknown>>;
}

interface RuleCalls {
  readonly calls: readonly RuleCall[];
  /** Null for a text that was understood to its end. */
  readonly problem: string | null;
}

const TOKEN =
  /\s+|#[^\n]*|(?<name>[A-Za-z_]\w*)|(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<number>-?\d+(?:\.\d+)?)|(?<sign>[()[\],=])|(?<other>.)/gsu;

interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'sign' | 'other';
  readonly value: string;
  readonly line: number;
}

/** The file is Starlark; in practice it has calls with literals, and only those are read. */
function readRuleCalls(text: string): RuleCalls {
  const tokens = tokensOf(text);
  const calls: RuleCall[] = [];
  let at = 0;
  const peek = (): Token | undefined => tokens[at];
  const isSign = (value: string) => peek()?.kind === 'sign' && peek()?.value === value;
  const fail = (): never => {
    throw new SyntaxError(`line ${peek()?.line ?? 'last'}: only calls with literal arguments are read here`);
  };
  const take = (kind: Token['kind'], value?: string): Token => {
    const token = peek();
    if (token?.kind !== kind || (value !== undefined && token.value !== value)) return fail();
    at += 1;
    return token;
  };
  const literal = (): unknown => {
    const token = peek();
    if (token?.kind === 'text') return unquoted(take('text').value);
    if (token?.kind === 'number') return Number(take('number').value);
    if (token?.kind === 'name' && token.value in WORDS) return WORDS[take('name').value];
    take('sign', '[');
    const items: unknown[] = [];
    while (!isSign(']')) {
      items.push(literal());
      if (!isSign(']')) take('sign', ',');
    }
    take('sign', ']');
    return items;
  };
  try {
    while (at < tokens.length) {
      const { value: name, line } = take('name');
      take('sign', '(');
      const args: Record<string, unknown> = {};
      while (!isSign(')')) {
        const key = take('name').value;
        take('sign', '=');
        args[key] = literal();
        if (!isSign(')')) take('sign', ',');
      }
      take('sign', ')');
      calls.push({ name, line, args });
    }
    return { calls, problem: null };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { calls, problem: error.message };
  }
}

const WORDS: Readonly<Record<string, unknown>> = { True: true, False: false, None: null };
const KINDS = ['name', 'text', 'number', 'sign', 'other'] as const;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  for (const { 0: whole, groups = {} } of text.matchAll(TOKEN)) {
    const kind = KINDS.find((one) => groups[one] !== undefined);
    if (kind) tokens.push({ kind, value: whole, line });
    line += whole.split('\n').length - 1;
  }
  return tokens;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, (_, sign: string) => ESCAPES[sign] ?? sign);
}
