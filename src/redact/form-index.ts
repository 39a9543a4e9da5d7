import type { Form } from './form.ts';
import type { Reader } from './reader.ts';

const LETTERS = 128;
const MOST_FOUND = 8;

/** Forms by their prefixes, as a tree: a place in a text is compared with all of them at once. */
export class FormIndex {
  private readonly next: Int16Array;
  private readonly endingAt: readonly (readonly Form[] | undefined)[];
  private readonly reached = new Int16Array(MOST_FOUND);

  constructor(forms: readonly Form[]) {
    const next: number[] = new Array<number>(LETTERS).fill(0);
    const endingAt: Form[][] = [[]];
    for (const form of forms) {
      let node = 0;
      for (const letter of form.prefix.slice(form.anchor)) {
        const slot = node * LETTERS + letter.charCodeAt(0);
        if ((next[slot] ?? 0) === 0) {
          next[slot] = endingAt.length;
          endingAt.push([]);
          for (let code = 0; code < LETTERS; code++) next.push(0);
        }
        node = next[slot] ?? 0;
      }
      endingAt[node]?.push(form);
    }
    this.next = Int16Array.from(next);
    this.endingAt = endingAt.map((ending) => (ending.length === 0 ? undefined : ending));
  }

  /** Whether the prefix of any form may begin with this character. */
  mayBegin(code: number): boolean {
    return code < LETTERS && this.next[code] !== 0;
  }

  /** The first result that is not null for a form whose prefix stands here, those with the longest prefixes first. */
  find(reader: Reader, from: number, visit: (form: Form, at: number) => number): number {
    let node = 0;
    let count = 0;
    let at = from;
    for (; at < reader.length; at++) {
      const code = reader.codes[at] ?? 0;
      node = code < LETTERS ? (this.next[node * LETTERS + code] ?? 0) : 0;
      if (node === 0) break;
      if (this.endingAt[node] !== undefined && count < MOST_FOUND) this.reached[count++] = node;
    }
    reader.steps += at - from;
    while (count > 0) {
      count -= 1;
      for (const form of this.endingAt[this.reached[count] ?? 0] ?? []) {
        const end = visit(form, from - form.anchor);
        if (end >= 0) return end;
      }
    }
    return -1;
  }
}
