import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// What is known of a program stands in its file in `knowledge/`, and in the code that this file names.

const source = new URL('../src/', import.meta.url);

/** A sample: names that nothing else has. */
const NAMES =
  /\b(?:ansible|apt-get|aws|cargo|curl|docker|gcloud|git|helm|kubectl|mysql|npm|pip|pnpm|podman|psql|rsync|scp|ssh|systemctl|tar|terraform|wget|xargs|yarn)\b/;

/** Where programs are described in code, because data could not. */
const DESCRIBES = /^shell\/(?:programs|code|powershell)\//;

/** Files that still know a program by its name. Nothing is added here: a fact about a program goes into its file. */
const STILL: Readonly<Record<string, string>> = {
  'redact/commands': 'programs',
  'redact/formats': 'urls',
  'redact/forms': 'forms phrase-words',
  'redact/names': 'judge',
  'rules/calls': 'changes clicks lines manifests secret-searches secret-texts sends',
  'rules/calm': 'calm public tools',
  'rules/hosts': 'traits',
  'rules/match': 'effect-tags',
  'rules/places': 'leftovers secrets',
  rules: 'rule-set',
  'rules/self': 'flow programs',
  'rules/world': 'git-status machine repository',
  'rules/written':
    'code-lines container-rights excerpt kinds lock-files marks opinions places protections weakened',
  'shell/live-systems': 'daemons database-work machine-work production',
  'shell/memory': 'installed listed',
  'shell/reading': 'git reader reading',
  'shell/throwaway': 'addresses containers line',
  'shell/tools': 'assumed implicit-files interpreters into project-code sql',
  'shell/traits': 'accounted',
  'shell/wrappers': 'listers unwrap',
};

/** Without comments: an example may name whatever it likes. */
function codeIn(file: string): string {
  const text = readFileSync(new URL(file, source), 'utf8');
  return text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '').replace(/^import .*$/gm, '');
}

test('no other file learns the name of a program', () => {
  const files = ['shell', 'rules', 'redact'].flatMap((folder) =>
    readdirSync(new URL(folder, source), { recursive: true, encoding: 'utf8' })
      .filter((file) => /^(?!.*testing).*(?<!\.test)\.ts$/.test(file))
      .map((file) => `${folder}/${file}`),
  );
  const naming = files.filter((file) => !DESCRIBES.test(file) && NAMES.test(codeIn(file)));
  const still = Object.entries(STILL).flatMap(([folder, names]) =>
    names.split(' ').map((name) => `${folder}/${name}.ts`),
  );
  expect(naming.sort()).toEqual(still.sort());
});
