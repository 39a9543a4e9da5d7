/** What is to be taken out of a text, and what is put in its place. */
export class Findings {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly labels: string[] = [];
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
    if (start < (this.ends.at(-1) ?? 0)) this.sorted = false;
    this.starts.push(start);
    this.ends.push(end);
    this.labels.push(label);
    return end;
  }

  /** The text without them. What overlaps goes as one. */
  apply(text: string): string {
    const kept: string[] = [];
    let last = 0;
    for (const index of this.inOrder()) {
      const start = this.starts[index] ?? 0;
      const end = this.ends[index] ?? 0;
      if (start < last) {
        last = Math.max(last, end);
        continue;
      }
      kept.push(text.slice(last, start), this.labels[index] ?? '');
      last = end;
    }
    kept.push(text.slice(last));
    return kept.join('');
  }

  private inOrder(): Iterable<number> {
    const indexes = this.starts.keys();
    if (this.sorted) return indexes;
    return [...indexes].sort(
      (a, b) => (this.starts[a] ?? 0) - (this.starts[b] ?? 0) || (this.ends[b] ?? 0) - (this.ends[a] ?? 0),
    );
  }
}
