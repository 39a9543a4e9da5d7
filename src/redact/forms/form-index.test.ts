import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLANTED } from '../../../test/support/redact/secrets.ts';
import { BEGINNINGS } from '../plain.ts';
import { Reader } from '../text/reader.ts';
import { formEnd, formStart } from './form.ts';
import { FormIndex } from './form-index.ts';
import { FORMS } from './token-forms.ts';

const index = new FormIndex(FORMS);

/** The forms that are tried at a place. */
function tried(text: string, at: number): string[] {
  const found: string[] = [];
  const reader = new Reader(text);
  index.find(reader, at, ({ prefix }, start) => {
    found.push(`${prefix} ${start}`);
    return -1;
  });
  return found.sort();
}

test('the tree finds the same forms as comparing each of them', () => {
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

test.each(PLANTED)('$kind is a candidate wherever a form matches', ({ text }) => {
  const reader = new Reader(`${text} `);
  for (let at = 0; at < text.length; at++) {
    const found = index.find(reader, at, (form, start) =>
      reader.startsWith(form.prefix, start) && formStart(reader, form, start) >= 0
        ? formEnd(reader, form, start)
        : -1,
    );
    if (found >= 0) expect(BEGINNINGS.mayBe(reader.codes, at)).toBe(true);
  }
});
