import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { TomlDocument } from './toml-tables.ts';

const KEY = ['hooks', 'state', '/home/dev/.codex/hooks.json:stop:0:0'];
const HEADER = '[hooks.state."/home/dev/.codex/hooks.json:stop:0:0"]';

function changed(text: string, change: (document: TomlDocument) => void): string {
  const document = new TomlDocument(text, 'config.toml');
  change(document);
  return document.toString();
}

const set = (text: string) => changed(text, (document) => document.set(KEY, 'trusted_hash', 'sha256:1'));
const remove = (text: string) => changed(text, (document) => document.remove(KEY));
const ENTRY = `${HEADER}\ntrusted_hash = "sha256:1"\n`;

describe('sets a text', () => {
  test.each([
    ['in an empty file', '', ENTRY],
    ['at the end', 'a = 1\n', `a = 1\n\n${ENTRY}`],
    ['at the end without a newline', 'a = 1 # one', `a = 1 # one\n\n${ENTRY}`],
    ['with the line ends of the file', 'a = 1\r\n', `a = 1\r\n\r\n${ENTRY.replaceAll('\n', '\r\n')}`],
    [
      'in place of another',
      `${HEADER} # mine\ntrusted_hash = 'old' # yes\n\n[b]\n`,
      `${HEADER} # mine\ntrusted_hash = "sha256:1" # yes\n\n[b]\n`,
    ],
    [
      'beside other keys',
      `${HEADER}\nenabled = false\n[b]\n`,
      `${HEADER}\ntrusted_hash = "sha256:1"\nenabled = false\n[b]\n`,
    ],
    [
      'in a table with another spelling',
      `[ hooks . 'state' . '${KEY[2]}' ]\n[b]`,
      `[ hooks . 'state' . '${KEY[2]}' ]\ntrusted_hash = "sha256:1"\n[b]`,
    ],
  ])('%s', (_, before, after) => {
    expect(set(before)).toBe(after);
    expect(set(after)).toBe(after);
  });

  test.each([
    ['a state of the file in braces', `hooks = { state = { "${KEY[2]}" = { trusted_hash = "x" } } }\n`],
    ['braces that cannot be added to', 'hooks = {}\n'],
    ['a state that is something else', '[hooks]\nstate = 1\n'],
  ])('but not in %s', (_, text) => {
    expect(() => set(text)).toThrow(expect.objectContaining({ code: 'SETTINGS_UNREADABLE' }));
  });
});

describe('removes a table', () => {
  test.each([
    ['the only one', ENTRY, ''],
    ['the last one', `a = 1\n\n${ENTRY}`, 'a = 1\n'],
    [
      'between others',
      `[a]\nx = 1\n\n${ENTRY}\n# about b\n[b]\ny = 2\n`,
      '[a]\nx = 1\n\n# about b\n[b]\ny = 2\n',
    ],
    [
      'before a list of tables',
      `${ENTRY}\n[[hooks.Stop]]\nmatcher = "x"\n`,
      '\n[[hooks.Stop]]\nmatcher = "x"\n',
    ],
    [
      'with a value over several lines',
      `${HEADER}\nenabled = true\nx = [\n  1, # ]\n  "]",\n]\n[b]\n`,
      '[b]\n',
    ],
  ])('%s', (_, before, after) => {
    expect(remove(before)).toBe(after);
  });

  test('that is not there', () => {
    const text = `[a]\nx = """\n${ENTRY}"""\ny = '''\n${ENTRY}'''\nz = "# ${HEADER.replaceAll('"', "'")}"\n`;
    expect(remove(text)).toBe(text);
  });
});

test('renames a table with its content', () => {
  const text = `# before\n${HEADER} # theirs\ntrusted_hash = "sha256:1"\nenabled = true\n`;
  const after = changed(text, (document) => document.rename(KEY, 'a "b"\\c:0:0'));
  expect(after).toBe(text.replace(HEADER, '[hooks.state."a \\"b\\"\\\\c:0:0"]'));
  expect(parse(after)).toMatchObject({ hooks: { state: { 'a "b"\\c:0:0': { enabled: true } } } });
});

test.each(['a = ', '[a\n', 'a = 1\na = 2\n'])("doesn't edit invalid TOML: %j", (text) => {
  expect(() => set(text)).toThrow(expect.objectContaining({ code: 'SETTINGS_UNREADABLE' }));
});

test('any key can be added and removed, and everything else stays', () => {
  const line = fc.constantFrom(
    '# [a]',
    '',
    'k = "]"',
    "k = '''\n[x]\n'''",
    'k = [\n  [1], # [\n]',
    'k = { a = "#" }',
    '[table]',
    '[[list]]',
    '[ "quoted.name" ]',
  );
  const text = fc.uniqueArray(line, { maxLength: 6, selector: (one) => one.slice(0, 3) });
  fc.assert(
    fc.property(text, fc.string({ minLength: 1 }), fc.constantFrom('', '\n'), (lines, key, end) => {
      const before = lines.join('\n') + end;
      const path = ['hooks', 'state', key];
      const after = changed(before, (document) => document.set(path, 'trusted_hash', key));
      expect(parse(after)).toEqual({ ...parse(before), hooks: { state: { [key]: { trusted_hash: key } } } });
      const restored = changed(after, (document) => document.remove(path));
      expect(parse(restored)).toEqual(parse(before));
      expect(restored.trimEnd()).toBe(before.trimEnd());
    }),
  );
});
