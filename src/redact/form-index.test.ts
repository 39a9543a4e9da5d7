import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FormIndex } from './form-index.ts';
import { Reader } from './reader.ts';
import { FORMS } from './secret-forms.ts';

const index = new FormIndex(FORMS);

/** The forms that are tried at a place. */
function tried(text: string, at: number): string[] {
  const found: string[] = [];
  if (index.mayBegin(text.charCodeAt(at), text.charCodeAt(at + 1))) {
    index.find(new Reader(text), at, ({ prefix }, start) => {
      found.push(`${prefix} ${start}`);
      return -1;
    });
  }
  return found.sort();
}

test('the tree finds the forms that comparing with each of them finds', () => {
  const piece = fc.oneof(
    fc.constantFrom(...FORMS.map(({ prefix }) => prefix)),
    fc.constantFrom('s', 'k', '_', '-', 'g', 'x', '\0', '$', 'M', 'eyJ'),
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), fc.nat(12), (pieces, at) => {
      const text = `${pieces.join('')}x`;
      fc.pre(at < text.length - 1);
      const each = FORMS.filter(({ prefix, anchor }) => text.startsWith(prefix.slice(anchor), at));
      expect(tried(text, at)).toEqual(each.map(({ prefix, anchor }) => `${prefix} ${at - anchor}`).sort());
    }),
    { numRuns: 5_000 },
  );
});
