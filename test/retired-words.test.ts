import { readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';
import { parseAllDocuments, visit } from 'yaml';

// What people and models read is in plain English, with one term per concept.

const root = new URL('../', import.meta.url);

/** Folders that are checked, with all below them. Add one when its texts are clean. */
const FOLDERS = [
  'knowledge/',
  'src/access/',
  'src/approvals/',
  'src/doors/',
  'src/platform/',
  'src/redact/',
  'src/rules/',
  'src/terminal/',
];

const RETIRED =
  /\b(?:nobody|somebody|whoever|everybody|anew|in force|in vain|waits for you|is no(?! longer)|one row a|another way|standing answers?)\b/gi;

/** Keys of rules and reasons whose values are shown. All others are conditions, commands and examples. */
const SHOWN = new Set(['description', 'deny', 'ask', 'allow', 'halt', 'notify', 'context', 'next', 'why']);

function shownInYaml(yaml: string): string {
  const texts: string[] = [];
  for (const document of parseAllDocuments(yaml))
    visit(document, {
      Pair(_, { key, value }) {
        const [name, text] = [String(key), String(value)];
        if (SHOWN.has(name)) texts.push(text);
      },
    });
  return texts.join('\n');
}

/** Comments and names are for authors. */
const shownInCode = (file: string) => (code: string) => {
  const { program, errors } = parseSync(file, code);
  if (errors[0]) throw new Error(errors[0].message);
  const texts: unknown[] = [];
  new Visitor({
    Literal: ({ value }) => void texts.push(value),
    TemplateElement: ({ value }) => void texts.push(value.raw),
    JSXText: ({ value }) => void texts.push(value),
  }).visit(program);
  return texts.filter((text) => typeof text === 'string').join('\n');
};

/** By the ending of a file, what of it is read by others than its authors. */
const READERS: Readonly<Record<string, (text: string) => string>> = {
  yaml: shownInYaml,
  ts: shownInCode('a.ts'),
  tsx: shownInCode('a.tsx'),
  md: (text) => text.replace(/^```[\s\S]*?^```|`[^`\n]*`/gm, ''),
};

const retiredIn = (ending: string, text: string): string[] =>
  (READERS[ending]?.(text) ?? '').replace(/\s+/g, ' ').match(RETIRED) ?? [];

test.each(FOLDERS)('%s has none of the retired words', (folder) => {
  const names = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.(?:yaml|tsx?|md)$/.test(name) && !/\.test\.tsx?$/.test(name));
  expect(files).not.toEqual([]);
  const found = files.flatMap((name) => {
    const text = readFileSync(new URL(folder + name, root), 'utf8');
    return retiredIn(name.replace(/^.*\./, ''), text).map((words) => `${name}: ${words}`);
  });
  expect(found).toEqual([]);
});

test.each([
  ['yaml', 'rules: [{ id: x, deny: Nobody may. }]', ['Nobody']],
  ['yaml', 'rules: [{ id: x, next: >-\n    Do it another\n    way. }]', ['another way']],
  [
    'yaml',
    '# Nobody reads this.\nrules: [{ id: x, command: chown nobody x, deny: It is no longer safe. }]',
    [],
  ],
  ['ts', '// Nobody.\n/** Whoever. */\nconst anew = /nobody/ && `It is no key`;', ['is no']],
  ['tsx', '<p>\n  Nothing waits\n  for you\n</p>', ['waits for you']],
  ['md', 'It applies\nin force. `nobody`\n```sh\nchown nobody x\n```\n', ['in force']],
])('of %s, what is shown is checked: %j', (ending, text, found) => {
  expect(retiredIn(ending, text)).toEqual(found);
});
