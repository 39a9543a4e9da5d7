import { expect, test } from 'vitest';
import { parsePrograms, variantsIn } from './compile.ts';
import { secretUsages } from './secrets.ts';

const usagesIn = (yaml: string) =>
  secretUsages(variantsIn(parsePrograms('a.yaml', `${yaml}\narguments: unknown\nexamples: [a: none]`)));

test('options contain secrets, with certain words or with any, and so does the program itself', () => {
  expect(usagesIn('names: [a]\nsecrets: { options: { -p: word } }')).toEqual({
    a: [{ options: [{ name: '-p', secret: 'word' }] }],
  });
  expect(
    usagesIn('names: [a]\nsecrets: { options: [{ on: secret set, words: stdin, with: { -b: pair } }] }'),
  ).toEqual({
    a: [
      {
        on: ['secret set'],
        options: [
          { name: '', secret: 'stdin' },
          { name: '-b', secret: 'pair' },
        ],
      },
    ],
  });
});

test('a variant adds to the secrets of the others, and a name may have several spellings', () => {
  const found = usagesIn(`
names: [a, b]
secrets: { options: { -p: word } }
variants: { b: { secrets: { spelled: b.exe } } }`);
  expect(Object.keys(found)).toEqual(['a', 'b', 'b.exe']);
  expect(found['b.exe']).toEqual(found.a);
});

test.each([
  ['an unknown way', '{ options: { -p: wrod } }', 'options'],
  ['words that would be a pattern', '{ options: [{ on: "set.*", words: last }] }', 'options'],
  ['files of a kind that no rule names', '{ files: { keys: ["~/.a"] } }', 'files'],
  ['a name like that of another program', '{ options: { -p: word }, spelled: a }', 'spelled like another'],
])('%s is refused', (_, secrets, message) => {
  expect(() => usagesIn(`names: [a]\nsecrets: ${secrets}`)).toThrow(message);
});
