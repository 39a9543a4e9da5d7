import type { Reader } from './reader.ts';

/** In the place of a secret that is told by its name. */
export const REDACTED = '[redacted]';

/** Of most texts, few things are taken out. */
const ROOM = 16;
/** Of nearly all, none: this is made several times for every text. */
const NO_ROOM = new Int32Array(0);

/** What is to be taken out of a text, and what is put in its place. */
export class Findings {
  /** Starts and ends in turn, as numbers: lists that grow to a hundred thousand entries take twice as long. */
  private places = NO_ROOM;
  private readonly labels: string[] = [];
  private lastEnd = 0;
  private sorted = true;

  get isEmpty(): boolean {
    return this.labels.length === 0;
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
    const at = this.labels.push(label) * 2 - 2;
    if (at === this.places.length) this.grow();
    this.places[at] = start;
    this.places[at + 1] = end;
    return end;
  }

  private grow(): void {
    const places = new Int32Array(Math.max(this.places.length * 4, ROOM));
    places.set(this.places);
    this.places = places;
  }

  /** The text without them. What overlaps goes as one. */
  apply({ text, codes }: Reader): string {
    const { places, labels } = this;
    const order = this.sorted ? null : this.inOrder();
    const output = new Output(codes, text.length + this.lengthOfLabels());
    let last = 0;
    for (let count = 0; count < labels.length; count++) {
      const index = order === null ? count : (order[count] ?? 0);
      const start = places[index * 2] ?? 0;
      const end = places[index * 2 + 1] ?? 0;
      if (start < last) {
        last = Math.max(last, end);
        continue;
      }
      output.copy(last, start);
      output.write(labels[index] ?? '');
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

  /** By where they start, the longest first. */
  private inOrder(): readonly number[] {
    const { places } = this;
    return [...this.labels.keys()].sort(
      (a, b) =>
        (places[a * 2] ?? 0) - (places[b * 2] ?? 0) || (places[b * 2 + 1] ?? 0) - (places[a * 2 + 1] ?? 0),
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
