import { CLASSES } from './characters.ts';

/** All that names, forms and signs begin with. */
export const LETTERS = 128;
const DASH = 45;

/** Something that is worth a look where it begins. */
export interface Beginning {
  readonly text: string;
  /** What stands right before it; 0 for anything. */
  readonly before: number;
  /** No dash stands right before it. */
  readonly alone: boolean;
  /** What all characters from its third to this one are; 0 for anything. */
  readonly behind: number;
  readonly until: number;
}

/**
 * Tells by a few characters whether one of many texts may begin with them: nearly every place of a text is passed over
 * with one look. Small enough to stay in the processor's nearest memory.
 */
export class Beginnings {
  /** By the first two characters: the row of those that may follow, 0 for none. */
  private readonly rows = new Uint8Array(LETTERS * LETTERS);
  private readonly thirds: Uint8Array;
  /** By row, what has to stand before and behind. */
  private readonly before: Uint32Array;
  private readonly alone: Uint8Array;
  private readonly behind: Uint32Array;
  private readonly until: Uint8Array;
  private readonly firsts: ReadonlySet<number>;

  constructor(beginnings: readonly Beginning[]) {
    const byPair = new Map<number, Beginning[]>();
    for (const one of beginnings)
      for (const pair of pairsOf(one.text)) {
        const row = byPair.get(pair);
        if (row) row.push(one);
        else byPair.set(pair, [one]);
      }
    const rowOf = new Map<string, number>([['', 0]]);
    const rows: (readonly Beginning[])[] = [[]];
    for (const [pair, row] of byPair) {
      const key = row.map(({ text }) => text).join(' ');
      if (!rowOf.has(key)) rowOf.set(key, rows.push(row) - 1);
      this.rows[pair] = rowOf.get(key) ?? 0;
    }
    this.thirds = thirdsOf(rows);
    this.before = Uint32Array.from(rows, (row) => common(row.map(({ before }) => before)));
    this.alone = Uint8Array.from(rows, (row) => (row.every(({ alone }) => alone) ? 1 : 0));
    // Different ones are told apart by the forms themselves.
    this.behind = Uint32Array.from(rows, (row) => (row.length === 1 ? (row[0]?.behind ?? 0) : 0));
    this.firsts = new Set(beginnings.map(({ text }) => text.charCodeAt(0)));
    this.until = Uint8Array.from(rows, (row) => row[0]?.until ?? 0);
  }

  /** Whether one may begin here. */
  mayBe(codes: Uint16Array, at: number): boolean {
    const first = codes[at] ?? 0;
    const second = codes[at + 1] ?? 0;
    if (first >= LETTERS || second >= LETTERS) return false;
    const row = this.rows[first * LETTERS + second] ?? 0;
    if (row === 0) return false;
    const third = codes[at + 2] ?? 0;
    if (this.thirds[row * LETTERS + (third < LETTERS ? third : 0)] === 0) return false;
    if (!this.fitsBefore(row, at > 0 ? (codes[at - 1] ?? 0) : 0)) return false;
    const behind = this.behind[row] ?? 0;
    return behind === 0 || allAre(codes, at + 2, at + (this.until[row] ?? 0), behind);
  }

  private fitsBefore(row: number, code: number): boolean {
    const before = this.before[row] ?? 0;
    if (before !== 0 && ((CLASSES[code] ?? 0) & before) === 0) return false;
    return this.alone[row] === 0 || code !== DASH;
  }

  /** Whether one begins with this character. */
  has(first: number): boolean {
    return this.firsts.has(first);
  }
}

function pairsOf(text: string): readonly number[] {
  const first = text.charCodeAt(0) * LETTERS;
  if (text.length > 1) return [first + text.charCodeAt(1)];
  return Array.from({ length: LETTERS }, (_, second) => first + second);
}

/** By row, the third characters that one of its texts has; any, behind a text that is shorter. */
function thirdsOf(rows: readonly (readonly Beginning[])[]): Uint8Array {
  const thirds = new Uint8Array(rows.length * LETTERS);
  for (const [at, row] of rows.entries())
    for (const { text } of row) {
      const third = text.charCodeAt(2);
      if (text.length < 3) thirds.fill(1, at * LETTERS, (at + 1) * LETTERS);
      else if (third < LETTERS) thirds[at * LETTERS + third] = 1;
    }
  return thirds;
}

/** What all of them need; 0 if one of them needs nothing. */
function common(bits: readonly number[]): number {
  return bits.includes(0) ? 0 : bits.reduce((all, one) => all | one, 0);
}

/** From the last to the first: what is too short fails soon. */
function allAre(codes: Uint16Array, from: number, last: number, bits: number): boolean {
  if (last >= codes.length) return false;
  let at = last;
  while (at >= from && ((CLASSES[codes[at] ?? 0] ?? 0) & bits) !== 0) at--;
  return at < from;
}
