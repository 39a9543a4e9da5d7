import { UNKNOWN } from '../analysis.ts';
import { parseScript } from '../syntax/from-unbash.ts';
import type { Walk } from '../walk.ts';
import { arithmeticValue } from './arithmetic.ts';

const LONGEST = 200;

/** The value of a text as `$((…))` evaluates it, used for `let`, `declare -i`, `expr` and `bc`. */
export function calculated(walk: Walk, text: string): string {
  if (text.length > LONGEST || !/^[\w\s+*/%()-]+$/.test(text)) return UNKNOWN;
  const [item] = parseScript(`: $((${text}))`).items;
  const pieces = item?.kind === 'simple' ? (item.words[1]?.pieces ?? []) : [];
  const [piece] = pieces;
  return piece?.kind === 'arithmetic' && piece.expression !== null
    ? arithmeticValue(walk, piece.expression)
    : UNKNOWN;
}

const SETTING = /^([A-Za-z_]\w*)\s*([-+*/%]?)=(.+)$/s;

/** `let x=1+2`, `let x+=1`. */
export function setByArithmetic(walk: Walk, template: string): void {
  const [, name, operator = '', rest = ''] = SETTING.exec(template) ?? [];
  if (name === undefined) return;
  walk.state.set(name, calculated(walk, operator === '' ? rest : `${name}${operator}(${rest})`));
}
