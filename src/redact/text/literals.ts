import { Findings } from './findings.ts';
import type { Reader } from './reader.ts';

/**
 * Finds any of many texts in one pass over another: a tree of the texts, each node with where to go on when the next
 * character does not fit, so that none is read twice however much they have in common (Aho and Corasick, 1975).
 */
export class Literals {
  private readonly next: Edges;
  /** Where to go on: the longest end of what was read that begins another text. */
  private readonly fallback: Int32Array;
  /** By node: the length of the longest text that ends there, 0 for none. */
  private readonly longest: Int32Array;
  /** Characters that begin a text: most do not. */
  private readonly begins = new Uint8Array(65_536);

  constructor(texts: readonly string[]) {
    const most = texts.reduce((sum, { length }) => sum + length, 1);
    this.next = new Edges(most);
    this.fallback = new Int32Array(most);
    this.longest = new Int32Array(most);
    const parents: number[] = [-1];
    const codes: number[] = [0];
    for (const text of texts) this.plant(text, parents, codes);
    this.link(parents, codes);
  }

  private plant(text: string, parents: number[], codes: number[]): void {
    let node = 0;
    this.begins[text.charCodeAt(0)] = 1;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      let child = this.next.get(node, code);
      if (child === 0) {
        child = parents.length;
        parents.push(node);
        codes.push(code);
        this.next.set(node, code, child);
      }
      node = child;
    }
    this.longest[node] = text.length;
  }

  /** From the root outwards: a node's fallback is nearer to the root than itself. */
  private link(parents: readonly number[], codes: readonly number[]): void {
    const depth = new Int32Array(parents.length);
    for (let node = 1; node < parents.length; node++) depth[node] = (depth[parents[node] ?? 0] ?? 0) + 1;
    const byDepth = [...parents.keys()].slice(1).sort((a, b) => (depth[a] ?? 0) - (depth[b] ?? 0));
    for (const node of byDepth) {
      const parent = parents[node] ?? 0;
      const fallback = parent === 0 ? 0 : this.step(this.fallback[parent] ?? 0, codes[node] ?? 0);
      this.fallback[node] = fallback;
      if (this.longest[node] === 0) this.longest[node] = this.longest[fallback] ?? 0;
    }
  }

  private step(from: number, code: number): number {
    let node = from;
    for (;;) {
      const child = this.next.get(node, code);
      if (child !== 0 || node === 0) return child;
      node = this.fallback[node] ?? 0;
    }
  }

  /** Where they are. */
  findIn(reader: Reader, label: string): Findings {
    const { codes, length } = reader;
    const found = new Findings();
    let node = 0;
    let start = -1;
    let end = -1;
    for (let at = 0; at < length; at++) {
      const code = codes[at] ?? 0;
      if (node === 0 && this.begins[code] === 0) continue;
      node = this.step(node, code);
      const longest = this.longest[node] ?? 0;
      if (longest === 0) continue;
      const first = at + 1 - longest;
      if (first > end) {
        found.add(start, end, label);
        start = first;
      } else start = Math.min(start, first);
      end = at + 1;
    }
    found.add(start, end, label);
    // A step back is never further than the steps forward before it.
    reader.steps += 2 * length;
    return found;
  }
}

/** From a node and a character to a node, in arrays of numbers: a `Map` takes five times as long. */
class Edges {
  private readonly mask: number;
  private readonly nodes: Int32Array;
  private readonly codes: Uint16Array;
  private readonly targets: Int32Array;

  constructor(most: number) {
    const size = 2 ** Math.ceil(Math.log2(most * 2 + 2));
    this.mask = size - 1;
    this.nodes = new Int32Array(size);
    this.codes = new Uint16Array(size);
    this.targets = new Int32Array(size);
  }

  /** The place of an edge, or the free one where it belongs. */
  private slot(node: number, code: number): number {
    let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b)) & this.mask;
    while (this.targets[slot] !== 0 && (this.nodes[slot] !== node || this.codes[slot] !== code))
      slot = (slot + 1) & this.mask;
    return slot;
  }

  get(node: number, code: number): number {
    return this.targets[this.slot(node, code)] ?? 0;
  }

  set(node: number, code: number, target: number): void {
    const slot = this.slot(node, code);
    this.nodes[slot] = node;
    this.codes[slot] = code;
    this.targets[slot] = target;
  }
}
