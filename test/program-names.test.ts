import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// What is known of a program stands in its file in `knowledge/`, and in the code that this file names.

const source = new URL('../src/', import.meta.url);

/** A sample: names that nothing else has. */
const NAMES =
  /\b(?:ansible|apt-get|aws|cargo|curl|docker|gcloud|git|helm|kubectl|mysql|npm|pip|pnpm|podman|psql|rsync|scp|ssh|systemctl|tar|terraform|wget|xargs|yarn)\b/;

/** Where programs are described in code, because data could not. */
const DESCRIBES = /^shell\/(?:programs|code|powershell)\//;

/** Files that know a program by its name, and why that is code. Nothing is added here: a fact about a program goes into its file. */
const STILL: Readonly<Record<string, string>> = {
  'doors/access': 'what a public key looks like, and names of tools that make one',
  'redact/formats/urls': 'schemes of addresses that hold no password',
  'redact/forms/token-forms': 'what tokens look like, each called after who gives it',
  'redact/forms/phrase-words': 'words of seed phrases, cargo among them',
  'redact/names/judge': 'how values begin that are not secrets',
  'rules/calls/lines': 'says what a tool does in the words of a command line: `psql -c`, `curl -X`',
  'rules/calls/manifests': 'the same for what a manifest grants',
  'rules/calls/secret-searches': 'what people search for who look for keys',
  'rules/calls/secret-texts': 'default passwords, by their database',
  'rules/calls/sends': 'says what a page sends in the words of a command line',
  'rules/calm/calm': 'the folder .git, which searches leave out',
  'rules/calm/public': 'names of files that are private wherever they lie',
  'rules/match/effect-tags': 'schemes of addresses that packages come from',
  'rules/recovery/line':
    'what changes where a path leads before the loss: mounts, archives and shells as another user',
  'rules/rule-set': 'the name of a pack',
  'rules/self/own-programs':
    'how one gets at Hookline itself: self-protection is code, and no data that is easy to change',
  'rules/world/git-status': 'asks git',
  'rules/world/machine': 'reads a repository',
  'rules/world/repository': 'reads a repository',
  'rules/written/code-lines': 'what in a program is worth a look',
  'rules/written/container-rights': 'sockets and folders that give the machine away',
  'rules/written/excerpt': 'what in a long file is worth a look',
  'rules/written/kinds': 'kinds of files by their names, with the code that reads each',
  'rules/written/lock-files': 'the form of lock files',
  'rules/written/marks': 'signs in texts, and files that say where packages come from',
  'rules/written/opinions': 'what in a line is worth a look',
  'rules/written/places': 'addresses of known installers',
  'rules/written/protections': 'kinds of files by their names',
  'rules/written/service-guards': 'names of configuration files, with what in them protects',
  'rules/written/weakened': 'files that say what is left out',
  'shell/live-systems/daemons': 'schemes of addresses of a daemon',
  'shell/live-systems/database-work': 'how projects and Rake call their tasks',
  'shell/memory/installed': 'what package managers print of where they install',
  'shell/reading/git': 'how each verb of git only reads, with the code for it',
  'shell/reading/reading': 'which reader a program has, and who tells a version at once',
  'shell/disposable/containers': 'how filters and lists of Docker say what is left over',
  'shell/disposable/line': 'how options of ssh make a tunnel',
  'shell/tools/assumed': 'words in names of options',
  'shell/tools/interpreters': 'how a command line begins that was given to the wrong reader',
  'shell/tools/into': 'a slash at the end of a folder, to rsync',
  'shell/wrappers/listers': 'what fd, rg and git list of a project',
};

/** Without comments: an example may name whatever it likes. */
function codeIn(file: string): string {
  const text = readFileSync(new URL(file, source), 'utf8');
  return text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '').replace(/^import .*$/gm, '');
}

test("only a program's knowledge file names the program", () => {
  const files = ['doors', 'shell', 'rules', 'redact'].flatMap((folder) =>
    readdirSync(new URL(folder, source), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.ts$/.test(file))
      .map((file) => `${folder}/${file}`),
  );
  const naming = files.filter((file) => !DESCRIBES.test(file) && NAMES.test(codeIn(file)));
  const still = Object.keys(STILL).map((file) => `${file}.ts`);
  expect(naming.sort()).toEqual(still.sort());
});
