import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';
import { parseAllDocuments, visit } from 'yaml';

// The project is written in plain English with one term per concept. Words in RETIRED are in no file at all: no text,
// comment, name or test. Words in UNSHOWN are in no text that users or models see.

const root = new URL('../', import.meta.url);

const ROOMS = readdirSync(new URL('src/', root), { withFileTypes: true });
/** Checked with everything below them. */
const FOLDERS = [
  ...ROOMS.flatMap((entry) => (entry.isDirectory() ? [`src/${entry.name}/`] : [])),
  ...['web/src/', 'native/src/', 'knowledge/', 'docs/', 'test/', 'plugins/', 'examples/', 'scripts/', 'bin/'],
  ...['.ci/', '.github/'],
];
const FILE = /\.(?:ya?ml|[jt]sx?|rs|md|css|html|sh|snap)$|\/[\w-]+$/;
/** Texts of others, homes of earlier versions, and attacks. */
const FOREIGN = /(?:^|\/)(?:fixtures|homes|walk)\/|packs-entry|\.bin$/;

const PHRASES =
  'nobody|somebody|whoever|everybody|anybody|anew|in vain|waits? for you|one row a|standing answers?|no opinion|' +
  'came to an end|broke off|thrown away|throws? away|what waits|lately|every guard|says yes';
const NEGATION =
  '(?<!there )(?<!where )(?:is|was) no (?!longer|more|one|two|less|reason|excuse|use|need|matter|doubt|way|other|fault|difference)\\w+';
const RETIRED = new RegExp(`\\b(?:${PHRASES}|${NEGATION})\\b`, 'gi');
const UNSHOWN = /\b(?:in force|another way|settled)\b/gi;

/** Words of others that a file has to name: users, options of programs, and what people write in messages. */
const EXEMPT: Readonly<Record<string, readonly string[]>> = {
  'knowledge/labels.yaml': ['everybody'],
  'knowledge/programs/machine/others.yaml': ['nobody'],
  'knowledge/synonyms.yaml': ['throw away'],
  'src/doors/messages.ts': ['everybody'],
  'src/shell/tools/machine.test.ts': ['nobody'],
  'test/support/shell/commands.ts': ['nobody'],
};

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

/** Without comments and names. */
const shownInCode = (file: string) => (code: string) => {
  const { program, errors } = parseSync(file, code);
  if (errors[0]) throw new Error(errors[0].message);
  const texts: unknown[] = [];
  new Visitor({
    Literal: ({ value }) => void texts.push(value),
    TemplateElement: ({ value }) => void texts.push(value.raw),
    JSXText: ({ value }) => void texts.push(value),
  }).visit(program);
  return texts.filter((text) => typeof text === 'string' && /\s/.test(text.trim())).join('\n');
};

/** The part of a file that users or models see, by its extension. */
const READERS: Readonly<Record<string, (text: string) => string>> = {
  yaml: shownInYaml,
  ts: shownInCode('a.ts'),
  tsx: shownInCode('a.tsx'),
  md: (text) => text.replace(/^```[\s\S]*?^```|`[^`\n]*`/gm, ''),
};

const inOneLine = (text: string) => text.replace(/\s+(?:\/\/|\*|#)?\s*/g, ' ');

function retiredIn(file: string, text: string): string[] {
  const everywhere = inOneLine(text).match(RETIRED) ?? [];
  const isShown = /^(?:src|web|knowledge|docs)\/|^\w+\.md$/.test(file) && !/\.test\.tsx?$/.test(file);
  const shown = isShown ? READERS[file.replace(/^.*\./, '')] : undefined;
  const unshown = shown ? (inOneLine(shown(text)).match(UNSHOWN) ?? []) : [];
  return [...everywhere, ...unshown].filter((words) => !EXEMPT[file]?.includes(words.toLowerCase()));
}

function filesIn(folder: string): string[] {
  const names = readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true });
  const base = fileURLToPath(root);
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => relative(base, join(entry.parentPath, entry.name)))
    .filter((file) => FILE.test(file) && !FOREIGN.test(file) && file !== 'test/retired-words.test.ts');
}

const foundIn = (files: readonly string[]) =>
  files.flatMap((file) =>
    retiredIn(file, readFileSync(new URL(file, root), 'utf8')).map((words) => `${file}: ${words}`),
  );

test.each(FOLDERS)('%s has none of the retired words', (folder) => {
  const files = filesIn(folder);
  expect(files).not.toEqual([]);
  expect(foundIn(files)).toEqual([]);
});

test('the pages and settings at the top have none of the retired words', () => {
  const names = readdirSync(root).filter((name) => /\.(?:md|ts)$/.test(name));
  expect(names).toContain('README.md');
  expect(foundIn(names)).toEqual([]);
});

test.each([
  ['src/a.yaml', 'rules: [{ id: x, deny: Nobody may. }]', ['Nobody']],
  ['src/a.yaml', 'rules: [{ id: x, next: >-\n    Do it another\n    way. }]', ['another way']],
  ['src/a.yaml', '# Nobody reads this.', ['Nobody']],
  ['src/a.yaml', 'rules: [{ id: x, command: echo another way, deny: It is no longer safe. }]', []],
  ['src/a.ts', '// It applies\n// to everybody.', ['everybody']],
  ['src/a.ts', '/** In another way. */\nconst settled = `It is no key`;', ['is no key']],
  ['src/a.test.ts', "test('whoever asks', () => {});", ['whoever']],
  ['web/src/a.tsx', '<p>\n  Nothing waits\n  for you\n</p>', ['waits for you']],
  ['docs/a.md', 'It applies\nin force. `settled`\n```sh\necho in force\n```\n', ['in force']],
  ['native/src/a.rs', '/// There is no daemon, and the pipe is no daemon.', ['is no daemon']],
])('finds the retired words in %s: %j', (file, text, found) => {
  expect(retiredIn(file, text)).toEqual(found);
});
