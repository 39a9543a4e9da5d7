import { hasUnknown } from '../placeholders.ts';
import type { Evaluation } from './evaluate.ts';
import type { Expression } from './nodes.ts';
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

/** Operators that only return true, false or a number. */
const TELLS =
  /^-(?:[ci]?(?:eq|ne|g[te]|l[te]|like|notlike|match|notmatch|in|notin|contains|notcontains)|and|or|xor|not|is|isnot)$|^!$/;

/** The result of an operator. */
export function operated(evaluation: Evaluation, operator: string, operands: readonly Expression[]): Value {
  const values = operands.map((operand) => evaluation.value(operand));
  const [left = NOTHING, right = NOTHING] = values;
  if (operator === '++' || operator === '--' || TELLS.test(operator)) return ANYTHING;
  if (operator === '+')
    return isList(left) ? union(left, right, derived(left, right)) : concatenated([left, right]);
  if (operator === '?') return union(...values.slice(1));
  if (operator === '??') return union(left, right);
  if (operator === '-f') return formatted(left, right);
  if (operator === '-join') return joined(left, operands.length === 1 ? textValue('') : right);
  if (operator === '-as') return left;
  if (/replace$/.test(operator)) return replaced(left, right);
  if (operator === '*') return derived(left);
  if (operator === '..') return ANYTHING;
  return derived(...values);
}

const isList = ({ items, table }: Value): boolean => items.length > 1 || table !== null;

/** `"{1}{0}" -f 'ex', 'i'`. */
function formatted(format: Value, given: Value): Value {
  const text = onlyText(format);
  if (text === null) return derived(format, given);
  const filled = text.replace(
    /\{(\d+)[^}]*\}/g,
    (whole, index: string) => given.items[Number(index)] ?? whole,
  );
  return { ...textValue(filled.replaceAll('{{', '{').replaceAll('}}', '}')), decoded: given.decoded };
}

function joined(list: Value, between: Value): Value {
  const separator = onlyText(between);
  if (separator === null || list.items.some(hasUnknown)) return derived(list, between);
  return union({ ...textValue(list.items.join(separator)), decoded: list.decoded }, NOTHING);
}

/** Replaces a plain pattern; the result of any other is unknown. */
function replaced(text: Value, given: Value): Value {
  const [from = '', to = ''] = given.items;
  const known = onlyText(text);
  if (known === null || hasUnknown(from + to) || /[\\^$.|?*+()[\]{}]/.test(from) || textOf(given) === '')
    return derived(text, given);
  const pattern = new RegExp(from, 'gi');
  return { ...textValue(known.replace(pattern, () => to)), decoded: text.decoded };
}
