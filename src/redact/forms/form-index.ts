import { LETTERS } from '../text/beginnings.ts';
import type { Reader } from '../text/reader.ts';
import type { Form } from './form.ts';

const MOST_FOUND = 8;

/**
 * Forms by their prefixes, as a tree: a place in a text is compared with all of them at once. Small enough to stay
 * in the processor's nearest memory: only the few places where prefixes part have a row for all letters.
 */
export class FormIndex {
  /** By node: where its row is, or -1 for one with a single letter behind it. */
  private readonly rowOf: Int32Array;
  private readonly rows: Int16Array;
  private readonly letter: Uint8Array;
  private readonly child: Int16Array;
  private readonly ends: Uint8Array;
  private readonly endingAt: readonly (readonly Form[])[];
  private readonly reached = new Int16Array(MOST_FOUND);

  constructor(forms: readonly Form[]) {
    const children: Map<number, number>[] = [new Map()];
    const endingAt: Form[][] = [[]];
    for (const form of forms) {
      const prefix = form.prefix.slice(form.anchor);
      const node = plant(prefix, children);
      const ending = endingAt[node] ?? [];
      ending.push(form);
      endingAt[node] = ending;
    }
    const parting = [...children.keys()].filter((node) => (children[node]?.size ?? 0) > 1);
    this.rowOf = new Int32Array(children.length).fill(-1);
    for (const [index, node] of parting.entries()) this.rowOf[node] = index * LETTERS;
    this.rows = new Int16Array(parting.length * LETTERS);
    this.letter = new Uint8Array(children.length);
    this.child = new Int16Array(children.length);
    for (const [node, letters] of children.entries()) {
      for (const [code, to] of letters) {
        if (letters.size > 1) this.rows[(this.rowOf[node] ?? 0) + code] = to;
        this.letter[node] = code;
        this.child[node] = to;
      }
    }
    this.endingAt = children.map((_, node) => endingAt[node] ?? []);
    this.ends = Uint8Array.from(this.endingAt, ({ length }) => Math.min(length, 1));
  }

  /** The first result that is not null for a form whose prefix stands here, those with the longest prefixes first. */
  find(reader: Reader, from: number, visit: (form: Form, at: number) => number): number {
    const { codes, length } = reader;
    const { rowOf, rows, letter, child, ends, reached } = this;
    let node = 0;
    let count = 0;
    let at = from;
    for (; at < length; at++) {
      const code = codes[at] ?? 0;
      const row = rowOf[node] ?? -1;
      if (row >= 0) node = code < LETTERS ? (rows[row + code] ?? 0) : 0;
      else node = letter[node] === code ? (child[node] ?? 0) : 0;
      if (node === 0) break;
      if (ends[node] === 1 && count < MOST_FOUND) reached[count++] = node;
    }
    reader.steps += at - from;
    while (count > 0) {
      count -= 1;
      for (const form of this.endingAt[reached[count] ?? 0] ?? []) {
        const end = visit(form, from - form.anchor);
        if (end >= 0) return end;
      }
    }
    return -1;
  }
}

/** The node at the end of a text in the tree. */
function plant(text: string, children: Map<number, number>[]): number {
  let node = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    let to = children[node]?.get(code);
    if (to === undefined) {
      to = children.length;
      children.push(new Map());
      children[node]?.set(code, to);
    }
    node = to;
  }
  return node;
}
