import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { HooklineError } from '../../model/errors.ts';
import { readSettings, SettingsDocument } from './settings-json.ts';

const PATH = '/home/someone/settings.json';
const open = (text: string, comments = false) => new SettingsDocument(text, { path: PATH, comments });

function edited(text: string, edit: (settings: SettingsDocument) => void, comments = false): string {
  const settings = open(text, comments);
  edit(settings);
  return settings.toString();
}

describe('adding', () => {
  test.each([
    ['{}', '{\n  "a": {\n    "b": 1\n  }\n}'],
    ['{}\n', '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    ['{\n}\n', '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    ['', '{\n  "a": {\n    "b": 1\n  }\n}'],
    ['\n', '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    ['{"z":1}', '{"z":1,"a":{"b":1}}'],
    ['{"z": 1}', '{"z": 1, "a": {"b": 1}}'],
    ['{\n\t"z": 1\n}', '{\n\t"z": 1,\n\t"a": {\n\t\t"b": 1\n\t}\n}'],
    ['{\r\n    "z": 1\r\n}\r\n', '{\r\n    "z": 1,\r\n    "a": {\r\n        "b": 1\r\n    }\r\n}\r\n'],
    ['\uFEFF{"z":1}', '\uFEFF{"z":1,"a":{"b":1}}'],
    ['{\n  "z": 1e2 }', '{\n  "z": 1e2,\n  "a": {\n    "b": 1\n  } }'],
  ])('a property to %j follows the layout of the file', (before, after) => {
    expect(edited(before, (settings) => settings.set(['a'], { b: 1 }))).toBe(after);
  });

  test.each([
    ['{"l":[]}', '{"l":[5]}'],
    ['{"l":[1]}', '{"l":[1,5]}'],
    ['{\n  "l": []\n}', '{\n  "l": [\n    5\n  ]\n}'],
    ['{\n  "l": [1, 2]\n}', '{\n  "l": [1, 2, 5]\n}'],
    ['{\n  "l": [\n    1\n  ]\n}', '{\n  "l": [\n    1,\n    5\n  ]\n}'],
  ])('an item to %j goes to the end', (before, after) => {
    expect(edited(before, (settings) => settings.append(['l'], 5))).toBe(after);
  });

  test('replaces a value in place, on as many lines as before', () => {
    const text = '{\n  "a": {"b": 1},\n  "c": {\n    "d": 2\n  },\n  "e": 3\n}\n';
    expect(edited(text, (settings) => settings.set(['a'], { b: 9 }))).toBe(text.replace('1', '9'));
    expect(edited(text, (settings) => settings.set(['c'], { d: 9 }))).toBe(text.replace('2', '9'));
  });
});

describe('removing', () => {
  test.each([
    ['{"l":[1,2,3]}', 0, '{"l":[2,3]}'],
    ['{"l":[1,2,3]}', 1, '{"l":[1,3]}'],
    ['{"l":[1,2,3]}', 2, '{"l":[1,2]}'],
    ['{"l":[ 1 ]}', 0, '{"l":[]}'],
    ['{"l":[\n  1,\n  2\n]}', 0, '{"l":[\n  2\n]}'],
    ['{"l":[\n  1,\n  2\n]}', 1, '{"l":[\n  1\n]}'],
  ])('from %j item %i', (before, index, after) => {
    expect(edited(before, (settings) => settings.remove(['l', index]))).toBe(after);
  });

  test('a missing item changes nothing', () => {
    expect(edited('{ "a" :1}', (settings) => settings.remove(['b', 'c']))).toBe('{ "a" :1}');
  });
});

describe('comments, if the client reads them', () => {
  const text = '{\n  // first\n  "a": 1, // of a\n  "b": [1, /* two */ 2,], // of b\n}\n';

  test('stay in place when something is added', () => {
    expect(edited(text, (settings) => settings.set(['c'], 3), true)).toBe(
      '{\n  // first\n  "a": 1, // of a\n  "b": [1, /* two */ 2,], // of b\n  "c": 3,\n}\n',
    );
    expect(edited(text, (settings) => settings.append(['b'], 3), true)).toContain('[1, /* two */ 2, 3,]');
    expect(edited('{\n  "a": 1 // of a\n}', (settings) => settings.set(['b'], 2), true)).toBe(
      '{\n  "a": 1, // of a\n  "b": 2\n}',
    );
  });

  test('of others stay when something is removed', () => {
    expect(edited(text, (settings) => settings.remove(['b']), true)).toBe(
      '{\n  // first\n  "a": 1, // of a\n // of b\n}\n',
    );
    expect(edited(text, (settings) => settings.remove(['a']), true)).toBe(
      '{\n  // first\n  // of a\n  "b": [1, /* two */ 2,], // of b\n}\n',
    );
    expect(edited('{ // why\n  "a": 1 }', (settings) => settings.remove(['a']), true)).toBe('{ // why\n }');
  });
});

describe("a file that can't be edited safely", () => {
  test.each([
    ['{"a":1', 'is not valid JSON (line 1, column 7)'],
    ['{"a":1,}', 'is not valid JSON'],
    ['// x\n{}', 'is not valid JSON (line 1, column 1)'],
    ['[]', 'is not a JSON object'],
    ['null', 'is not a JSON object'],
    ['{"a":"\u0001"}', 'is not valid JSON'],
    ['{"a":01}', 'is not valid JSON'],
  ])('rejects %j', (text, why) => {
    expect(() => open(text)).toThrow(HooklineError);
    expect(() => open(text)).toThrow(`${PATH} ${why}`);
  });

  test("the message doesn't repeat the content of a broken file", () => {
    expect(() => open('{"token": "sk-secret" oops}')).toThrow(/^(?!.*secret)/);
  });

  test('rejects a duplicate key only if it is needed', () => {
    const settings = open('{"a":{},"a":{"b":1},"c":1}');
    expect(settings.get(['c'])).toBe(1);
    expect(() => settings.set(['a', 'x'], 1)).toThrow('has the key "a" twice');
  });

  test("rejects bytes that aren't UTF-8; a missing file is null", () => {
    const folder = scratchFolder();
    const path = join(folder, 'settings.json');
    expect(readSettings(path)).toBeNull();
    expect(readSettings(join(path, 'below'))).toBeNull();
    writeFileSync(path, Buffer.from('{"a":"\xe9"}', 'latin1'));
    expect(() => readSettings(path)).toThrow('is not UTF-8 text');
    expect(() => readSettings(folder)).toThrow('cannot be read');
  });
});

const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'ключ', '');
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 1, -0.5, '', '"],{', '// no comment', '\u2028'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(key, tie('any'), { maxKeys: 3 }),
  ),
})).any;

test('adding and removing restores the same text, in any layout', () => {
  const layout = fc.constantFrom(undefined, 1, 2, 4, '\t');
  const eol = fc.constantFrom('\n', '\r\n');
  fc.assert(
    fc.property(
      fc.dictionary(key, value),
      layout,
      eol,
      fc.boolean(),
      value,
      (object, indent, eol, end, added) => {
        const text = JSON.stringify(object, null, indent).replaceAll('\n', eol) + (end ? eol : '');
        const settings = open(text);
        settings.set(['new'], added);
        const withNew = settings.toString();
        expect(JSON.parse(withNew)).toEqual(
          JSON.parse(
            `{${JSON.stringify(object).slice(1, -1)}${Object.keys(object).length ? ',' : ''}"new":${JSON.stringify(added)}}`,
          ),
        );
        expect(settings.get(['new'])).toEqual(JSON.parse(JSON.stringify(added)));
        settings.remove(['new']);
        expect(settings.toString()).toBe(text);
      },
    ),
  );
});
