import * as v from 'valibot';
import { type Document, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { suggestion } from '../../model/suggestion.ts';
import type { FileProblem } from '../../platform/last-good.ts';
import { compileRule, type Layer, type Rule } from '../rule.ts';
import { ruleSchema } from '../schema.ts';
import { inCurrentWords } from './former-words.ts';
import { onlyTightening } from './trust.ts';
import { endOfNode, parseYaml, startOf, startOfKey } from './yaml.ts';

/** An unusable part of a rule file and its position. The rest of the file counts. */
export type RuleProblem = FileProblem;

export interface LoadedRules {
  readonly rules: readonly Rule[];
  readonly problems: readonly RuleProblem[];
  /** Project rules that stay inactive until the project is trusted. */
  readonly waiting?: readonly Rule[];
}

/** Who a rule file belongs to. */
export interface FileOrigin {
  readonly layer: Layer;
  readonly pack: string | null;
  readonly observing: boolean;
}

const USERS_OWN: FileOrigin = { layer: 'user', pack: null, observing: false };

/** The rules in a text, and each problem with its line and column. */
export function parseRules(text: string, file: string, origin: FileOrigin = USERS_OWN): LoadedRules {
  const { document, problems, at } = parseYaml(text, file);
  const broken = Math.min(...document.errors.map((error) => error.pos[0]));

  if (document.contents === null) return { rules: [], problems };
  const list = isMap(document.contents) ? document.get('rules', true) : null;
  // A file whose rules are all commented out.
  if (isScalar(list) && list.value === null) return { rules: [], problems };
  if (!isSeq(list)) {
    if (problems.length === 0)
      problems.push({ where: at(0), message: 'a rule file is a list under "rules:"' });
    return { rules: [], problems };
  }
  const observing = document.get('mode') === 'observe';
  const rules: Rule[] = [];
  for (const [index, node] of list.items.entries()) {
    // Rules before a syntax error still count: a typo further down must not disable them.
    if (endOfNode(node) >= broken) break;
    const start = startOf(node) ?? startOf(list) ?? 0;
    const where = at(start);
    if (!isMap(node)) {
      problems.push({ where, message: 'a rule is a map, as in "- deny: why"' });
      continue;
    }
    const read = readRule(node, document);
    if (read.problem !== undefined) {
      problems.push({ where: at(startOfKey(node, read.key) ?? start), message: read.problem });
      continue;
    }
    const id = read.rule.id ?? `${file.split('/').at(-1)}#${index + 1}`;
    const { former } = read;
    const rule = compileRule(read.rule, {
      id,
      where,
      ...origin,
      former,
      observing: origin.observing || observing,
    });
    if ('problem' in rule) problems.push({ where, message: `rule ${id} ${rule.problem}` });
    else rules.push(rule);
  }
  return { rules: document.errors.length > 0 ? onlyTightening(rules) : rules, problems };
}

function readRule(node: YAMLMap, document: Document) {
  const { rule, former } = inCurrentWords(node.toJS(document));
  const parsed = v.safeParse(ruleSchema, rule);
  if (parsed.success) return { rule: parsed.output, former };
  const [issue] = parsed.issues;
  const path = issue.path?.map(({ key }) => String(key)) ?? [];
  const [key = ''] = path;
  const isUnknown = path.length === 1 && !(key in ruleSchema.entries);
  const complaint = isUnknown
    ? `unknown key; ${suggestion(key, Object.keys(ruleSchema.entries)) ?? 'see docs/rules-reference.md'}`
    : issue.message;
  return { key, problem: `${path.join('.') || 'rule'}: ${complaint}` };
}
