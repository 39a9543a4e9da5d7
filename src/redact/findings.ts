import type { Reader } from './reader.ts';

/** What is to be taken out of a text, and what is put in its place. */
export class Findings {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly labels: string[] = [];
  private lastEnd = 0;
  private sorted = true;

  get isEmpty(): boolean {
    return this.starts.length === 0;
  }

  /** The kinds of what was found by its form: `github-token`, `private-key`. */
  get kinds(): readonly string[] {
    return this.labels.flatMap((label) => /^\[redacted:([\w-]+)\]$/.exec(label)?.[1] ?? []);
  }

  /** The end, for reading on from there. */
  add(start: number, end: number, label: string): number {
    if (start >= end) return end;
    if (start < this.lastEnd) this.sorted = false;
    this.lastEnd = end;
    this.starts.push(start);
    this.ends.push(end);
    this.labels.push(label);
    return end;
  }

  /** The text without them. What overlaps goes as one. */
  apply({ text, codes }: Reader): string {
    const output = new Output(codes, text.length + this.lengthOfLabels());
    let last = 0;
    for (const index of this.inOrder()) {
      const start = this.starts[index] ?? 0;
      const end = this.ends[index] ?? 0;
      if (start < last) {
        last = Math.max(last, end);
        continue;
      }
      output.copy(last, start);
      output.write(this.labels[index] ?? '');
      last = end;
    }
    output.copy(last, text.length);
    return output.text;
  }

  private lengthOfLabels(): number {
    let sum = 0;
    for (const { length } of this.labels) sum += length;
    return sum;
  }

  private inOrder(): Iterable<number> {
    const indexes = this.starts.keys();
    if (this.sorted) return indexes;
    return [...indexes].sort(
      (a, b) => (this.starts[a] ?? 0) - (this.starts[b] ?? 0) || (this.ends[b] ?? 0) - (this.ends[a] ?? 0),
    );
  }
}

/** For a text that nothing is to be taken out of. */
export const NONE: Findings = new Findings();

/** A text as numbers: one that is put together from a hundred thousand pieces takes five times as long. */
class Output {
  private readonly from: Uint16Array;
  private readonly to: Uint16Array;
  private length = 0;
  /** All bits of all codes. */
  private seen = 0;

  constructor(from: Uint16Array, most: number) {
    this.from = from;
    this.to = new Uint16Array(most);
  }

  copy(start: number, end: number): void {
    const { from, to } = this;
    let { length, seen } = this;
    for (let at = start; at < end; at++) {
      const code = from[at] ?? 0;
      seen |= code;
      to[length++] = code;
    }
    this.length = length;
    this.seen = seen;
  }

  write(label: string): void {
    for (let at = 0; at < label.length; at++) this.to[this.length++] = label.charCodeAt(at);
  }

  get text(): string {
    const written = this.to.subarray(0, this.length);
    // Without other languages in it, half the memory is enough.
    if (this.seen < 256) return Buffer.from(written).toString('latin1');
    return Buffer.from(written.buffer, 0, this.length * 2).toString('utf16le');
  }
}
