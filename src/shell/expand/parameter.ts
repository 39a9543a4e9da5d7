import { entryOf } from '../../model/lookup.ts';
import { UNKNOWN } from '../analysis.ts';
import { hasUnknown, madeOf } from '../placeholders.ts';
import type { Operation, VariablePiece, WordNode } from '../syntax/nodes.ts';
import type { Walk } from '../walk.ts';
import { globPattern } from './pattern.ts';
import { expandText } from './word.ts';

/** Every length of the value is tried, so the value must be short. */
const MAX_REMOVE = 1024;

/** Always set to an absolute path, so their first character is known even if the rest is not. */
const ABSOLUTE: ReadonlySet<string> = new Set(['HOME', 'PATH', 'PWD', 'OLDPWD', 'SHELL', 'BASH']);

/** The template of a variable; undefined if nothing is known about it. */
/** The usual name of a shell that was not started by path. Good enough for a command name, not for its location. */
export const SHELL_NAME = 'bash';

export function lookUp(walk: Walk, name: string): string | undefined {
  const set = walk.state.variables.get(name);
  if (set) return set.value;
  const given = entryOf(walk.env, name);
  if (given !== undefined) return given;
  switch (name) {
    case 'HOME':
      return walk.home;
    case 'PWD':
      return walk.state.cwd ?? undefined;
    case 'IFS':
      return ' \t\n';
    case 'SHELL':
      return '/bin/sh';
    case 'BASH':
      return '/bin/bash';
    case '0':
      return walk.state.script ?? SHELL_NAME;
    default:
      return positional(walk, name);
  }
}

/** What `~` means at this point of the line, which may have set it. Without a value it is what the system knows. */
export function homeIn({ state, home }: Walk): string {
  const set = state.variables.get('HOME');
  return set === undefined ? home : set.value || UNKNOWN;
}

function positional(walk: Walk, name: string): string | undefined {
  const list = walk.state.positional;
  if (list === null) return undefined;
  if (name === '@' || name === '*') return list.join(' ');
  if (name === '#') return String(list.length);
  return /^[1-9]\d?$/.test(name) ? (list[Number(name) - 1] ?? '') : undefined;
}

/** Several fields for `$@` and whole arrays; null for everything else. */
export function parameterFields(walk: Walk, piece: VariablePiece): readonly string[] | null {
  if (piece.length || piece.indirect) return null;
  const whole = piece.index?.raw === '@' || piece.index?.raw === '*';
  const { operation } = piece;
  if (operation === null) {
    if (piece.name === '@' || piece.name === '*') return walk.state.positional;
    return whole ? itemsOf(walk, piece.name) : null;
  }
  if (operation.type !== 'slice') return null;
  const isGiven = piece.name === '@' || piece.name === '*';
  const list = isGiven ? walk.state.positional : whole ? itemsOf(walk, piece.name) : null;
  if (list === null) return null;
  const numberOf = (word: WordNode | null) => Number((word && expandText(walk, word).trim()) ?? 'x');
  const from = numberOf(operation.first);
  const count = operation.second === null ? Number.POSITIVE_INFINITY : numberOf(operation.second);
  if (Number.isNaN(from + count)) return [UNKNOWN];
  const start = from < 0 ? Math.max(0, list.length + from) : isGiven ? Math.max(0, from - 1) : from;
  return list.slice(start, start + count);
}

/** Items of an array that are set; null if unknown. */
function itemsOf(walk: Walk, name: string): readonly string[] | null {
  const list = walk.state.variables.get(name)?.list;
  return list?.flatMap((item) => item ?? []) ?? null;
}

/** The value of an expansion as one template. `mixed`: the word has other pieces. */
export function parameterText(walk: Walk, piece: VariablePiece, mixed: boolean): string {
  let value = plainValue(walk, piece);
  // `bash -c` without arguments has no positional parameters, so `r$@m` is `rm`; a bare "$@" stays unknown.
  if (value === undefined && mixed && walk.state.positional === null && /^[@*1-9]$/.test(piece.name))
    value = '';
  if (piece.length) return value === undefined || hasUnknown(value) ? UNKNOWN : String(value.length);
  if (piece.operation) return operate(walk, piece, piece.operation, value);
  return value ?? unset(walk, piece.name);
}

/** Names of variables that hold a password. */
export const SECRET_NAME: RegExp =
  /(?:^|_)(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|(?:API|ACCESS|PRIVATE|SECRET|ENCRYPTION|SIGNING|AUTH)_?KEY|APIKEY|PAT)(?:_|\d|$)/i;

/** A variable that the line did not set. Most are unknown; some names mark a secret. */
function unset(walk: Walk, name: string): string {
  return SECRET_NAME.test(name) ? walk.mark({ kind: 'variable', of: name }) : UNKNOWN;
}

function plainValue(walk: Walk, piece: VariablePiece): string | undefined {
  if (piece.indirect) {
    const name = lookUp(walk, piece.name);
    return name === undefined || hasUnknown(name) ? undefined : lookUp(walk, name);
  }
  if (piece.index === null) return lookUp(walk, piece.name);
  const list = walk.state.variables.get(piece.name)?.list;
  const index = expandText(walk, piece.index);
  if (index === '@' || index === '*') return itemsOf(walk, piece.name)?.join(' ');
  if (!/^-?\d{1,6}$/.test(index)) return undefined;
  return list ? (list.at(Number(index)) ?? '') : index === '0' ? lookUp(walk, piece.name) : undefined;
}

function operate(walk: Walk, piece: VariablePiece, operation: Operation, value: string | undefined): string {
  const { first: operand } = operation;
  const first =
    operand === null
      ? ''
      : operation.type === 'other'
        ? walk.elsewhere(() => expandText(walk, operand))
        : expandText(walk, operand);
  const second = operation.second ? expandText(walk, operation.second) : null;
  if (operation.type === 'default') return withDefault(walk, piece.name, operation.operator, first, value);
  if (operation.type === 'slice') {
    if (value === undefined || piece.name === 'HOME') {
      if (ABSOLUTE.has(piece.name) && first.trim() === '0' && second?.trim() === '1') return '/';
    }
    return value === undefined ? UNKNOWN : slice(value, first, second);
  }
  if (value === undefined || hasUnknown(value)) return madeOf(value ?? '');
  switch (operation.type) {
    case 'case':
      return changeCase(value, operation.operator);
    case 'remove':
      return remove(value, operation.operator, first);
    case 'replace':
      return replace(value, operation.operator, first, second ?? '');
    default:
      return operation.operator === '@' && first === 'U'
        ? value.toUpperCase()
        : operation.operator === '@' && first === 'L'
          ? value.toLowerCase()
          : UNKNOWN;
  }
}

/** Treats an unassigned variable as unset, because then an attacker's default applies. */
function withDefault(
  walk: Walk,
  name: string,
  operator: string,
  operand: string,
  value: string | undefined,
): string {
  const set = value !== undefined && (!operator.startsWith(':') || value !== '');
  if (operator.endsWith('+')) return set || value === undefined ? operand : '';
  if (set) return value;
  if (operator.endsWith('=')) walk.state.set(name, operand);
  return operator.endsWith('?') ? UNKNOWN : operand;
}

function slice(value: string, offset: string, length: string | null): string {
  const from = Number(offset.trim() || '0');
  const count = length === null ? Number.POSITIVE_INFINITY : Number(length.trim() || '0');
  if (hasUnknown(value) || Number.isNaN(from) || Number.isNaN(count)) return madeOf(value);
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  return value.slice(start, count < 0 ? value.length + count : start + count);
}

function changeCase(value: string, operator: string): string {
  const change = (text: string): string =>
    operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase();
  return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
}

function remove(value: string, operator: string, pattern: string): string {
  const matches = globPattern(pattern);
  if (matches === null || value.length > MAX_REMOVE) return UNKNOWN;
  const greedy = operator.length === 2;
  const suffix = operator.startsWith('%');
  for (let n = 0; n <= value.length; n++) {
    const length = greedy ? value.length - n : n;
    const part = suffix ? value.slice(value.length - length) : value.slice(0, length);
    if (matches(part)) return suffix ? value.slice(0, value.length - length) : value.slice(length);
  }
  return value;
}

function replace(value: string, operator: string, pattern: string, replacement: string): string {
  if (/[*?[]/.test(pattern) || hasUnknown(pattern) || pattern === '') return UNKNOWN;
  if (operator === '//') return value.split(pattern).join(replacement);
  if (operator === '/#') return value.startsWith(pattern) ? replacement + value.slice(pattern.length) : value;
  if (operator === '/%') {
    return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) + replacement : value;
  }
  const at = value.indexOf(pattern);
  return at < 0 ? value : value.slice(0, at) + replacement + value.slice(at + pattern.length);
}
