import * as v from 'valibot';
import { isMap, isSeq, LineCounter, parseDocument } from 'yaml';
import { compile, nonsense, type Rule, ruleSchema } from './rule.ts';

/** Something in a rule file that cannot be used, and where. The rest of the file counts. */
export interface RuleProblem {
  readonly where: string;
  readonly message: string;
}

export interface RuleSet {
  readonly rules: readonly Rule[];
  readonly problems: readonly RuleProblem[];
}

/** The rules in a text, with the line and column of whatever is wrong with it. */
export function parseRules(text: string, file: string): RuleSet {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const at = (offset: number) => `${file}:${lines.linePos(offset).line}:${lines.linePos(offset).col}`;
  const problems: RuleProblem[] = document.errors.map((error) => ({
    where: at(error.pos[0]),
    message: error.message.split('\n')[0] ?? 'not YAML',
  }));
  if (problems.length > 0 || document.contents === null) return { rules: [], problems };

  const list = isMap(document.contents) ? document.get('rules', true) : null;
  if (!isSeq(list)) {
    return { rules: [], problems: [{ where: at(0), message: 'a rule file is a list under "rules:"' }] };
  }
  const rules: Rule[] = [];
  for (const [index, node] of list.items.entries()) {
    const range = isMap(node) ? node.range : undefined;
    const where = at(range?.[0] ?? list.range?.[0] ?? 0);
    const parsed = v.safeParse(ruleSchema, isMap(node) ? node.toJS(document) : node);
    if (!parsed.success) {
      const [issue] = parsed.issues;
      const path = issue.path?.map(({ key }) => key) ?? [];
      const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(path[0])) : undefined;
      const key: unknown = pair?.key;
      const offset = typeof key === 'object' && key !== null && 'range' in key ? rangeStart(key.range) : null;
      problems.push({
        where: offset === null ? where : at(offset),
        message: `${path.join('.') || 'rule'}: ${issue.message}`,
      });
      continue;
    }
    const complaint = nonsense(parsed.output);
    const id = parsed.output.id ?? `${file.split('/').at(-1)}#${index + 1}`;
    if (complaint) problems.push({ where, message: `rule ${id} ${complaint}` });
    else rules.push(compile(parsed.output, id, where));
  }
  return { rules, problems };
}

function rangeStart(range: unknown): number | null {
  const start: unknown = Array.isArray(range) ? range[0] : null;
  return typeof start === 'number' ? start : null;
}
