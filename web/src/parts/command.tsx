import type { JSX } from 'preact';
import { visible } from '../../../src/terminal/visible.ts';

type Marks = readonly (readonly [start: number, end: number])[];

interface Piece {
  readonly text: string;
  readonly start: number;
  readonly kind: 'program' | 'flag' | 'string' | 'sign' | null;
}

const PIECES = /\s+|"(?:[^"\\]|\\.)*"?|'[^']*'?|&&|\|\||[|;&()]|[^\s"'|;&()]+/g;

/** A command line; the words that a rule matched are underlined. */
export function Command({
  text,
  marks = [],
  large = false,
}: {
  text: string;
  marks?: Marks;
  large?: boolean;
}): JSX.Element {
  return (
    <pre class={`code ${large ? 'large' : ''}`}>
      {piecesOf(text).flatMap((piece) =>
        cut(piece, marks).map(({ from, part, met }) => (
          <span
            key={from}
            class={[piece.kind && `c-${piece.kind}`, met && 'c-met'].filter(Boolean).join(' ')}
          >
            {visible(part)}
          </span>
        )),
      )}
    </pre>
  );
}

/** Splits roughly as a shell does. For display only: decisions don't depend on it. */
function piecesOf(text: string): readonly Piece[] {
  let isFirst = true;
  return [...text.matchAll(PIECES)].map(({ 0: part, index }) => {
    const kind = kindOf(part, isFirst);
    if (kind === 'sign') isFirst = true;
    else if (part.trim() !== '' && !/^\w+=/.test(part)) isFirst = false;
    return { text: part, start: index, kind };
  });
}

function kindOf(part: string, isFirst: boolean): Piece['kind'] {
  if (part.trim() === '') return null;
  if (/^(?:&&|\|\||[|;&()])$/.test(part)) return 'sign';
  if (/^["']/.test(part)) return 'string';
  if (isFirst && !/^\w+=/.test(part)) return 'program';
  return part.startsWith('-') ? 'flag' : null;
}

function cut(piece: Piece, marks: Marks): readonly { from: number; part: string; met: boolean }[] {
  const end = piece.start + piece.text.length;
  const edges = [piece.start, end, ...marks.flat().filter((at) => at > piece.start && at < end)].sort(
    (a, b) => a - b,
  );
  return edges.slice(0, -1).map((from, at) => ({
    from,
    part: piece.text.slice(from - piece.start, (edges[at + 1] ?? end) - piece.start),
    met: marks.some(([start, stop]) => from >= start && from < stop),
  }));
}
