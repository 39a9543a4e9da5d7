import { parseScript } from './syntax/from-unbash.ts';
import type { Node, Piece, WordNode } from './syntax/nodes.ts';

/** True if the line is a single command: no assignment, redirection, loop, negation or background. */
export function isBareCommand(line: string): boolean {
  const { items, problems } = parseScript(line);
  const [only] = items;
  return (
    problems.length === 0 &&
    items.length === 1 &&
    only?.kind === 'simple' &&
    only.redirects.length === 0 &&
    only.assignments.length === 0 &&
    // `! x`, `time x` and a leading comment leave no separate node.
    only.start === 0
  );
}

/**
 * True if there are only commands in sequence or in a pipe. Variables, functions, loops, subshells and background jobs
 * would change what the commands mean.
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

/** True for a plain line whose words are all literal. */
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

/** True if every command runs whenever the later ones do: all of them run, or none after a failed one. */
export function isDoneInOrder(line: string): boolean {
  return !line.includes('||') && !(line.includes('&&') && /[;\n]/.test(line));
}
