import { parseScript } from './syntax/from-unbash.ts';
import type { Node, Piece, WordNode } from './syntax/nodes.ts';

/** Is the line one command and nothing around it: no assignment, redirection, loop, negation or background? */
export function isBareCommand(line: string): boolean {
  const { items, problems } = parseScript(line);
  const [only] = items;
  return (
    problems.length === 0 &&
    items.length === 1 &&
    only?.kind === 'simple' &&
    only.redirects.length === 0 &&
    only.assignments.length === 0 &&
    // `! x`, `time x` and a comment before it leave no node of their own.
    only.start === 0
  );
}

/**
 * Are there only commands, one after the other or in a pipe? Whatever else a line has (variables that later commands
 * see, functions, loops, subshells, work in the background) changes what its commands come to.
 */
export function isPlainLine(line: string): boolean {
  const { items, problems } = parseScript(line);
  return problems.length === 0 && items.every(isPlain);
}

function isPlain(node: Node): boolean {
  switch (node.kind) {
    case 'simple':
      return node.assignments.length === 0 && node.words.length > 0;
    case 'sequence':
    case 'pipeline':
      return node.items.every(isPlain);
    default:
      return false;
  }
}

/** A plain line whose words are what they say: no variable, no substitution, nothing computed. */
export function isLiteralLine(line: string): boolean {
  const { items, problems } = parseScript(line);
  return problems.length === 0 && items.every(isLiteral);
}

function isLiteral(node: Node): boolean {
  if (node.kind === 'sequence' || node.kind === 'pipeline') return node.items.every(isLiteral);
  if (!isPlain(node) || node.kind !== 'simple') return false;
  return [...node.words, ...node.redirects.map(({ target }) => target)].every(isLiteralWord);
}

function isLiteralWord({ pieces, assignment }: WordNode): boolean {
  return assignment === null && pieces.every(isLiteralPiece);
}

function isLiteralPiece(piece: Piece): boolean {
  return piece.kind === 'text' || (piece.kind === 'glob' && piece.inner.every(isLiteralPiece));
}

/** Whether each command is done wherever those behind it are: all of them are, or none after one that fails. */
export function isDoneInOrder(line: string): boolean {
  return !line.includes('||') && !(line.includes('&&') && /[;\n]/.test(line));
}
