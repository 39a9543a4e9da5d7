import { UNKNOWN } from '../analysis.ts';
import type { Arithmetic } from '../syntax/nodes.ts';
import type { Walk } from '../walk.ts';
import { lookUp } from './parameter.ts';
import { piecesText } from './word.ts';

/** The decimal value of an expression of known numbers. Substitutions are walked in any case. */
export function arithmeticValue(walk: Walk, expression: Arithmetic | null): string {
  if (expression === null) {
    walk.exceed('an arithmetic expression that is nested too deeply');
    return UNKNOWN;
  }
  const value = evaluate(walk, expression);
  return Number.isSafeInteger(value) ? String(value) : UNKNOWN;
}

/** NaN if unknown. */
function evaluate(walk: Walk, node: Arithmetic): number {
  switch (node.kind) {
    case 'value': {
      const text = node.pieces.length > 0 ? piecesText(walk, node.pieces, false) : node.text;
      return toNumber(/^[A-Za-z_]\w*$/.test(text) ? (lookUp(walk, text) ?? UNKNOWN) : text);
    }
    case 'unary': {
      const operand = evaluate(walk, node.operand);
      return node.operator === '-' ? -operand : node.operator === '+' ? operand : Number.NaN;
    }
    case 'choice': {
      const [test, yes, no] = node.parts.map((part) => evaluate(walk, part));
      return (test ? yes : no) ?? Number.NaN;
    }
    case 'binary':
      if (node.operator === '=') return assigned(walk, node);
      return calculate(node.operator, evaluate(walk, node.left), evaluate(walk, node.right));
  }
}

/** `x = 1 + 2` */
function assigned(walk: Walk, { left, right }: Extract<Arithmetic, { kind: 'binary' }>): number {
  const value = evaluate(walk, right);
  if (left.kind === 'value' && /^[A-Za-z_]\w*$/.test(left.text))
    walk.state.set(left.text, Number.isSafeInteger(value) ? String(value) : UNKNOWN);
  return value;
}

function toNumber(text: string): number {
  if (/^0[xX][0-9a-fA-F]{1,12}$/.test(text)) return Number.parseInt(text, 16);
  if (/^0[0-7]{1,12}$/.test(text)) return Number.parseInt(text, 8);
  const based = /^(\d\d?)#(\w{1,10})$/.exec(text);
  if (based) return Number.parseInt(based[2] ?? '', Number(based[1]));
  return /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

function calculate(operator: string, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? Number.NaN : Math.trunc(left / right);
    case '%':
      return right === 0 ? Number.NaN : left % right;
    case '**':
      return left ** right;
    case '<<':
      return left * 2 ** right;
    default:
      return Number.NaN;
  }
}
