import type { Evaluation } from './evaluate.ts';
import { variableOf } from './given-variables.ts';
import { callMethod, property } from './members.ts';
import type { Expression } from './nodes.ts';
import { operated } from './operators.ts';
import { callStatic } from './static-calls.ts';
import {
  ANYTHING,
  concatenated,
  derived,
  NOTHING,
  onlyText,
  textOf,
  textValue,
  union,
  type Value,
} from './values.ts';

/** The value of an expression, with all effects of evaluating it. */
export function valueIn(evaluation: Evaluation, expression: Expression): Value {
  switch (expression.kind) {
    case 'text':
      return concatenated(
        expression.parts.map((part) => (typeof part === 'string' ? textValue(part) : evaluation.value(part))),
      );
    case 'variable':
      return evaluation.scope.variables.get(expression.name) ?? variableOf(evaluation.walk, expression.name);
    case 'list':
      return union(NOTHING, ...expression.items.map((item) => evaluation.value(item)));
    case 'table':
      return table(evaluation, expression);
    case 'block':
      return { ...NOTHING, blocks: [expression] };
    case 'group':
      return evaluation.statements(expression.body);
    case 'type':
      return typed(evaluation, expression);
    case 'member':
      return member(evaluation, expression);
    case 'index':
      return indexed(evaluation, expression);
    case 'operation':
      return operated(evaluation, expression.operator, expression.operands);
  }
}

function table(evaluation: Evaluation, { entries }: Extract<Expression, { kind: 'table' }>): Value {
  const table = new Map<string, Value>();
  for (const [key, value] of entries)
    table.set(textOf(evaluation.value(key)).toLowerCase(), evaluation.statement(value, NOTHING));
  return { ...NOTHING, items: derived(...table.values()).items, table };
}

function typed(evaluation: Evaluation, { name, of }: Extract<Expression, { kind: 'type' }>): Value {
  if (of === null) return { ...NOTHING, type: name.replace(/^system\./, '') };
  const value = evaluation.value(of);
  if (/^(?:scriptblock|wmi|wmiclass|wmisearcher|adsi|adsisearcher)$/.test(name))
    return { ...value, isCode: true };
  return name === 'void' ? NOTHING : value;
}

function member(evaluation: Evaluation, expression: Extract<Expression, { kind: 'member' }>): Value {
  const { of, given, isStatic } = expression;
  const name = onlyText(evaluation.value(expression.name));
  const owner = evaluation.value(of);
  const values = given?.map((one) => evaluation.value(one)) ?? null;
  if (name === null) {
    evaluation.walk.fail('powershell: the name of a member is not known');
    return ANYTHING;
  }
  if (isStatic) return callStatic(evaluation, owner, name.toLowerCase(), values);
  return values === null
    ? property(owner, name.toLowerCase())
    : callMethod(evaluation, owner, name.toLowerCase(), values);
}

function indexed(evaluation: Evaluation, { of, at }: Extract<Expression, { kind: 'index' }>): Value {
  const owner = evaluation.value(of);
  const key = onlyText(evaluation.value(at))?.toLowerCase();
  const known = key === undefined ? undefined : owner.table?.get(key);
  if (known) return known;
  // One of the items, or a character of one.
  return union(owner, { ...derived(owner), blocks: [] });
}
