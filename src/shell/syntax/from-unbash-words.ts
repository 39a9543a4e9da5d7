import {
  type ArithmeticExpression,
  type ParameterExpansionPart,
  type ParameterOperation,
  type ParsedScript,
  parse,
  type Word,
  type WordPart,
} from 'unbash';
import { toScript } from './from-unbash.ts';
import type { Arithmetic, Operation, Piece, Script, VariablePiece, WordNode } from './nodes.ts';

const NO_PIECES: readonly Piece[] = [];

export function plainWord(text: string, raw: string): WordNode {
  return { raw, text, pieces: NO_PIECES, braces: false, assignment: null };
}

export function toWord(word: Word): WordNode {
  // Reading `parts` and `value` makes the parser process the word again; most words need neither.
  const raw = word.text;
  const parts = word.parts;
  if (parts === undefined) {
    // A leading unquoted tilde is a separate piece, because only the walk knows the home directory.
    const text = raw.includes('\\') ? word.value : raw;
    if (raw.charCodeAt(0) !== 126) return plainWord(text, raw);
    return {
      raw,
      text: null,
      pieces: [{ kind: 'text', text, quoted: false }],
      braces: false,
      assignment: null,
    };
  }
  const pieces: Piece[] = [];
  let braces = false;
  for (const part of parts) {
    if (part.type === 'BraceExpansion') braces = true;
    addPart(part, pieces, false);
  }
  return { raw, text: null, pieces, braces, assignment: null };
}

/** Arithmetic as a word, so that its substitutions are walked as in any other word. */
export function arithmeticWord(expression: ArithmeticExpression): WordNode {
  const piece: Piece = { kind: 'arithmetic', expression: toArithmetic(expression, 0), raw: '' };
  return { raw: '', text: null, pieces: [piece], braces: false, assignment: null };
}

function addPart(part: WordPart, into: Piece[], quoted: boolean): void {
  switch (part.type) {
    case 'Literal':
      into.push({ kind: 'text', text: part.value, quoted });
      return;
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      into.push({ kind: 'text', text: part.value, quoted: true });
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      // An empty string is still a word.
      into.push({ kind: 'text', text: '', quoted: true });
      for (const child of part.parts) addPart(child, into, true);
      return;
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion': {
      const inner: Piece[] = [];
      for (const child of part.parts ?? []) addPart(child, inner, quoted);
      into.push({ kind: 'glob', text: part.text, inner });
      return;
    }
    case 'SimpleExpansion':
      into.push(variable(part.text.slice(1), part.text, quoted));
      return;
    case 'ParameterExpansion':
      into.push(parameter(part, quoted));
      return;
    case 'CommandExpansion':
      into.push({ kind: 'command', script: lazyScript(part), quoted, raw: part.text });
      return;
    case 'ProcessSubstitution':
      into.push({ kind: 'process', script: lazyScript(part), input: part.operator === '<', raw: part.text });
      return;
    case 'ArithmeticExpansion':
      into.push({
        kind: 'arithmetic',
        expression: part.expression ? toArithmetic(part.expression, 0) : null,
        raw: part.text,
      });
  }
}

// Lazy because the parser reads a substitution only when asked, and the walk may run out of budget before that.
function lazyScript(part: {
  readonly text: string;
  readonly script: ParsedScript | undefined;
}): () => Script | null {
  return () => (part.script ? toScript(part.script, part.text) : null);
}

function variable(name: string, raw: string, quoted: boolean): VariablePiece {
  return {
    kind: 'variable',
    name,
    quoted,
    length: false,
    indirect: false,
    index: null,
    operation: null,
    raw,
  };
}

function parameter(part: ParameterExpansionPart, quoted: boolean): VariablePiece {
  return {
    kind: 'variable',
    name: part.parameter,
    quoted,
    length: part.prefix === '#',
    indirect: part.prefix === '!',
    index: part.index ? toWord(part.index) : null,
    operation: part.operation ? (misread(part, part.operation) ?? toOperation(part.operation)) : null,
    raw: part.text,
  };
}

/**
 * unbash 6.0.3 ends the pattern of `${a/pattern/new}` at the first slash, even inside `$(…)`, and skips operations it
 * does not know. Parsing the operand as a here-document finds all its substitutions.
 */
function misread(part: ParameterExpansionPart, operation: ParameterOperation): Operation | null {
  if (operation.type !== 'Replace' && operation.type !== 'Unknown') return null;
  const operand = part.text.slice(part.parameterEnd - part.pos);
  if (!/\$\(|`|\$\{/.test(operand)) return null;
  const [statement] = parse(`cat <<${END}\n${operand}\n${END}`).commands;
  const redirect = statement?.command.type === 'Command' ? statement.command.redirects[0] : undefined;
  if (redirect?.type !== 'HereDoc' || redirect.body.parts === undefined) return null;
  const pieces: Piece[] = [];
  for (const child of redirect.body.parts) addPart(child, pieces, true);
  const first: WordNode = { raw: operand, text: null, pieces, braces: false, assignment: null };
  return { type: 'other', operator: operation.operator, first, second: null };
}

const END = 'END_OF_OPERAND';

function toOperation(operation: ParameterOperation): Operation {
  const operator = operation.operator;
  switch (operation.type) {
    case 'Default':
      return { type: 'default', operator, first: toWord(operation.operand), second: null };
    case 'Remove':
      return { type: 'remove', operator, first: toWord(operation.operand), second: null };
    case 'Replace':
      return {
        type: 'replace',
        operator,
        first: toWord(operation.pattern),
        second: toWord(operation.replacement),
      };
    case 'Slice':
      return {
        type: 'slice',
        operator,
        first: toWord(operation.offset),
        second: operation.length ? toWord(operation.length) : null,
      };
    case 'CaseModification':
      return {
        type: 'case',
        operator,
        first: operation.operand ? toWord(operation.operand) : null,
        second: null,
      };
    case 'Transform':
      return { type: 'other', operator, first: toWord(operation.operand), second: null };
    default:
      return { type: 'other', operator, first: null, second: null };
  }
}

const MAX_ARITHMETIC_DEPTH = 100;

function toArithmetic(node: ArithmeticExpression, depth: number): Arithmetic | null {
  if (depth > MAX_ARITHMETIC_DEPTH) return null;
  const next = (child: ArithmeticExpression): Arithmetic | null => toArithmetic(child, depth + 1);
  switch (node.type) {
    case 'ArithmeticBinary': {
      const left = next(node.left);
      const right = next(node.right);
      return left && right ? { kind: 'binary', operator: node.operator, left, right } : null;
    }
    case 'ArithmeticUnary': {
      const operand = next(node.operand);
      return operand ? { kind: 'unary', operator: node.operator, operand } : null;
    }
    case 'ArithmeticTernary': {
      const parts = [next(node.test), next(node.consequent), next(node.alternate)];
      return parts.every((part) => part !== null) ? { kind: 'choice', parts } : null;
    }
    case 'ArithmeticGroup':
      return next(node.expression);
    case 'ArithmeticWord': {
      const pieces: Piece[] = [];
      for (const part of node.parts ?? []) addPart(part, pieces, true);
      return { kind: 'value', text: node.value, pieces };
    }
    case 'ArithmeticCommandExpansion':
      return {
        kind: 'value',
        text: node.text,
        pieces: [{ kind: 'command', script: lazyScript(node), quoted: true, raw: node.text }],
      };
  }
}
