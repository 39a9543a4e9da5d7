import { type Document, isMap, isSeq, parseDocument, stringify, type YAMLMap } from 'yaml';
import { parseRules } from '../files/load.ts';
import type { Rule } from '../rule.ts';
import { failedWithin } from './examples.ts';

/** A changed rule file, or why it can't be changed. */
type ChangedFile = { readonly text: string } | { readonly problem: string };

export interface DraftProblem {
  /** Line in the rule's text; null if no line is to blame. */
  readonly line: number | null;
  readonly message: string;
}

/** Result of checking a rule before it is saved. */
export interface CheckedDraft {
  /** Null while it is invalid. */
  readonly rule: Rule | null;
  readonly problems: readonly DraftProblem[];
  readonly examples: { readonly total: number; readonly failed: readonly string[] };
}

const INDENT = '    ';
/** Limit for the examples of a draft, because other calls wait meanwhile. */
const EXAMPLES_MS = 500;

/** One rule of a file as a separate text, without list syntax. */
export function ruleText(text: string, file: string, id: string): string | null {
  const found = findRule(parseDocument(text), file, id);
  if (!found) return null;
  const { rule } = found;
  const [start, end] = rule.range ?? [0, 0];
  // A rule on one line is easier to edit on several.
  if (rule.flow) return stringify(rule.toJS(parseDocument(text)), { lineWidth: 0 });
  const column = start - (text.lastIndexOf('\n', start - 1) + 1);
  const lines = text.slice(start, end).trimEnd().split('\n');
  return `${lines.map((line, at) => (at === 0 ? line : line.slice(Math.min(column, indentOf(line))))).join('\n')}\n`;
}

/** The file with the rule of this id replaced, or the rule appended. Everything else stays, including comments. */
export function withRuleText(
  text: string | null,
  file: string,
  id: string | null,
  draft: string,
): ChangedFile {
  const rule = parseDocument(draft);
  if (rule.errors.length > 0 || !isMap(rule.contents)) return { problem: 'the rule is invalid' };
  if (text === null || text.trim() === '') return { text: `rules:\n${asEntry(draft)}` };
  const document = parseDocument(text);
  const list = document.get('rules', true);
  if (document.errors.length > 0 || !isSeq(list)) return { problem: `${file} is invalid; fix it first` };
  const at = id === null ? list.items.length - 1 : (findRule(document, file, id)?.at ?? null);
  if (at === null) return { problem: `${file} has no rule ${id}` };
  const node = list.items[at];
  if (!isMap(node) || list.flow) return { problem: `${file} has a format that only you can edit` };
  return { text: spliced(text, node, draft, id === null) };
}

/** Changes only the rule. */
function spliced(text: string, node: YAMLMap, draft: string, isNew: boolean): string {
  const [start, end] = node.range ?? [0, 0];
  const column = start - (text.lastIndexOf('\n', start - 1) + 1);
  const lines = draft.trimEnd().split('\n');
  const entry = lines
    .map((line, at) => (at === 0 || line === '' ? line : ' '.repeat(column) + line))
    .join('\n');
  const old = text.slice(start, end).trimEnd();
  if (!isNew) return text.slice(0, start) + entry + text.slice(start + old.length);
  // After a trailing comment of the last rule.
  const endOfLine = text.indexOf('\n', start + old.length);
  const behind = endOfLine === -1 ? text.length : endOfLine;
  return `${text.slice(0, behind)}\n${' '.repeat(column - 2)}- ${entry}${text.slice(behind) || '\n'}`;
}

/** Problems of a draft rule, and whether its examples pass. */
export function checkDraft(draft: string, file: string): CheckedDraft {
  const { rules, problems } = parseRules(`rules:\n${asEntry(draft)}`, file);
  const [rule = null, ...others] = rules;
  const found = problems.map(({ where, message }) => ({ line: lineIn(where, draft), message }));
  if (rule === null && found.length === 0) found.push({ line: null, message: 'Enter a rule.' });
  if (others.length > 0) found.push({ line: null, message: 'Enter only one rule.' });
  const failed = rule === null ? [] : failedWithin(rule, EXAMPLES_MS);
  return {
    rule: found.length === 0 ? rule : null,
    problems: found,
    examples: {
      total: rule === null ? 0 : Object.values(rule.examples()).flat().length,
      failed: failed.map(
        ({ example, wanted, problem }) => `should ${wanted}: ${example}${problem ? ` (${problem})` : ''}`,
      ),
    },
  };
}

function asEntry(draft: string): string {
  const lines = draft.trimEnd().split('\n');
  return `${lines.map((line, at) => (at === 0 ? `  - ${line}` : line === '' ? '' : INDENT + line)).join('\n')}\n`;
}

/** The text is one line below the key of the list. */
function lineIn(where: string, draft: string): number | null {
  const line = Number(/:(\d+):\d+$/.exec(where)?.[1] ?? 0) - 1;
  return line >= 1 ? Math.min(line, draft.trimEnd().split('\n').length) : null;
}

function findRule(
  document: Document,
  file: string,
  id: string,
): { readonly rule: YAMLMap; readonly at: number } | null {
  const list = document.get('rules', true);
  if (!isSeq(list)) return null;
  for (const [at, rule] of list.items.entries()) {
    if (isMap(rule) && (rule.get('id') ?? `${file.split('/').at(-1)}#${at + 1}`) === id) return { rule, at };
  }
  return null;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
