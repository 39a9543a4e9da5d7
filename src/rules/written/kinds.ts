import { basename, extname } from 'node:path';
import { entryOf } from '../../model/lookup.ts';
import { ANY_SHELL } from '../../model/shells.ts';
import { shellQuoted } from '../../platform/shell-words.ts';
import { gist, scriptParts, shellLinesIn } from './code-lines.ts';
import { containerLines } from './container-rights.ts';
import {
  containerFolderLines,
  gypLines,
  imageLines,
  packageLines,
  programLines,
  recipeLines,
  runningAs,
  terraformLines,
} from './file-lines.ts';
import type { Line, Runs } from './line.ts';
import { withoutMentions } from './mentions.ts';
import { yamlLines } from './yaml-lines.ts';

/** A kind of file that something runs: by its path, and where its commands are. */
interface FileKind {
  readonly path: RegExp;
  lines(text: string, isPart: boolean): readonly Line[];
}

/** Files of CI services. */
export const CI_FILE =
  /(?:^|\/)(?:\.github\/(?:workflows|actions)\/.+\.ya?ml|action\.ya?ml|\.gitlab-ci[\w.-]*\.ya?ml|\.gitlab\/.+\.ya?ml|\.circleci\/.+\.ya?ml|\.?azure-pipelines[\w.-]*\.ya?ml|bitbucket-pipelines\.ya?ml|\.(?:drone|travis|woodpecker|cirrus)\.ya?ml|\.(?:woodpecker|buildkite|tekton)\/.+\.ya?ml|appveyor\.ya?ml|buildspec[\w.-]*\.ya?ml|cloudbuild[\w.-]*\.ya?ml)$/i;

/** Settings that name the programs of tool servers. */
export const TOOL_SERVERS = /(?:^|[/._-])mcp(?:[._-]?(?:config|servers?|settings))?\.jsonc?$/i;

const fromYaml = (runs: Runs) => (text: string, isPart: boolean) => runningAs(runs, yamlLines(text, isPart));

const asSecret = (_: string, name: string) => `\${${name}_SECRET}`;

/** `${{ … }}` as shell variables; a secret keeps a name that says so, also where a step renames it. */
function workflowLines(text: string, isPart: boolean): Line[] {
  const renamed = [...text.matchAll(/^[ \t-]*(\w+)[ \t]*:[ \t]*["']?\$\{\{[ \t]*secrets\.\w/gm)].map(
    ([, name]) => name,
  );
  const own =
    renamed.length === 0 ? null : new RegExp(`\\$\\{?(${renamed.slice(0, 50).join('|')})\\b\\}?`, 'g');
  const named = (line: string) =>
    (own === null ? line : line.replace(own, asSecret))
      .replace(/\$\{\{\s*secrets\.(\w+)\s*\}\}/gi, asSecret)
      .replace(/\$\{\{[^{}]*\}\}/g, '$EXPRESSION');
  return runningAs('elsewhere', yamlLines(text, isPart).map(named));
}

const KINDS: readonly FileKind[] = [
  { path: CI_FILE, lines: workflowLines },
  { path: /(?:^|\/)jenkinsfile[\w.-]*$/i, lines: (text) => runningAs('elsewhere', shellLinesIn(text)) },
  {
    path: /(?:^|[/.])(?:dockerfile|containerfile)(?:\.[\w-]+)?$/i,
    lines: (text, isPart) => runningAs('elsewhere', imageLines(text, isPart)),
  },
  { path: /(?:^|\/)(?:GNU)?makefile(?:\.[\w-]+)?$|\.mk$|(?:^|\/)\.?justfile$|\.just$/i, lines: recipes },
  { path: /(?:^|\/)taskfile[\w.-]*\.ya?ml$/i, lines: fromYaml('called') },
  {
    path: /(?:^|\/)\.?(?:lefthook|pre-commit|overcommit)[\w.-]*\.ya?ml$/i,
    lines: fromYaml('alone'),
  },
  { path: /(?:^|\/)(?:docker-)?compose[\w.-]*\.ya?ml$/i, lines: containers },
  { path: /\.ya?ml$/i, lines: manifests },
  { path: /(?:^|\/)package\.json$/, lines: packageLines },
  { path: /\.tf(?:\.json)?$/i, lines: terraformLines },
  { path: /\.gypi?$/i, lines: (text) => runningAs('alone', gypLines(text)) },
  { path: /(?:^|\/)\.?devcontainer\.json$/i, lines: containerFolderLines },
  { path: TOOL_SERVERS, lines: (text) => runningAs('alone', programLines(text)) },
  {
    path: /(?:^|\/)\.(?:vscode|idea|zed)\/.+\.jsonc?$|\.code-workspace$/i,
    lines: (text) => runningAs('alone', programLines(text)),
  },
  {
    path: /(?:^|\/)(?:\.envrc|\.husky\/(?:_\/)?[\w-]+|\.?git-?hooks\/[\w-]+|\.git\/hooks\/[\w-]+)$/i,
    lines: (text) => runningAs('alone', scriptParts(text)),
  },
];

function recipes(text: string, isPart: boolean): Line[] {
  return runningAs('called', recipeLines(text, isPart));
}

function containers(text: string, isPart: boolean): Line[] {
  return [...runningAs('alone', containerLines(text)), ...runningAs('elsewhere', yamlLines(text, isPart))];
}

/** What a cluster runs; another file in YAML is data. */
function manifests(text: string, isPart: boolean): readonly Line[] {
  const isManifest = /^(?:[ \t]*-)?[ \t]*(?:apiVersion|kind)[ \t]*:/m.test(text);
  const isSetting = isPart && /\b(?:hostPID|hostPath|securityContext|initContainers)\s*:/.test(text);
  return isManifest || isSetting ? containers(text, isPart) : [];
}

/** How a program text is given to its interpreter, by the ending of its name. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  '.py': 'python3 -c',
  '.pyw': 'python3 -c',
  '.js': 'node -e',
  '.mjs': 'node -e',
  '.cjs': 'node -e',
  '.ts': 'node -e',
  '.mts': 'node -e',
  '.cts': 'node -e',
  '.rb': 'ruby -e',
  '.rake': 'ruby -e',
  '.gemspec': 'ruby -e',
  '.podspec': 'ruby -e',
  '.pl': 'perl -e',
  '.php': 'php -r',
  '.lua': 'lua -e',
  '.ps1': 'pwsh -Command',
  '.psm1': 'pwsh -Command',
};
const HASH_COMMENTS = /^(?:python|ruby|perl|pwsh)/;
const RUBY_FILE = /^(?:Rake|Gem|Guard|Vagrant|Fast|Brew|Pod|Danger|Cap)file$/;
/** Programs of which only the shell lines are known. */
const COMPILED = /^\.(?:rs|go|java|kt|kts|gradle|groovy|scala|swift|c|cc|cpp|cs|ex|exs|dart|zig|nim)$/;
const SHELL_SCRIPT = /^\.(?:sh|bash|zsh|ksh|command|bats)$/;
const FOR_A_SHELL = new RegExp(`^#!.*\\b${ANY_SHELL}\\b`);
/** Programs that run with an installation, a test run or the start of any other. */
const ALONE =
  /(?:^|\/)(?:setup\.py|conftest\.py|(?:site|user)customize\.py|noxfile\.py|build\.rs|(?:build|settings|init)\.gradle(?:\.kts)?|Rakefile|Gemfile|Podfile|[\w-]+\.(?:gemspec|podspec)|\.pnpmfile\.cjs|\.eslintrc\.c?js|[\w-]+\.config\.[cm]?[jt]s|(?:gulp|grunt)file\.[cm]?[jt]s)$/i;
/** Documentation, examples and tests, which don't run by accident. */
const EXAMPLES =
  /(?:^|\/)(?:tests?|__tests__|spec|fixtures|testdata|examples?|docs?)\/|[._-](?:test|spec)\.\w+$/;
/** What a test run loads. */
const TEST = /[._-](?:test|spec)\.(?:[cm]?[jt]s|py|rb)$|(?:^|\/)(?:test_\w+\.py|setup[\w.-]*\.[cm]?[jt]s)$/;
const RUNS_IN_TESTS = /(?:^|\/)conftest\.py$/;
/** Scratch folders, in which a name such as `tests` means nothing. */
const SCRATCH = /^(?:\/private)?\/(?:tmp|var\/tmp|dev\/shm)\//;

/** Whether a file is there to be looked at, or to try something out. */
export function isExample(path: string): boolean {
  return EXAMPLES.test(path) && !RUNS_IN_TESTS.test(path) && !SCRATCH.test(path);
}

/** The commands in a file that is about to be written; `path` is relative to the project where it is in one. */
export function linesWritten(path: string, text: string, isPart: boolean): readonly Line[] {
  if (isExample(path)) return TEST.test(path) ? programLine(path, text, 'tested') : [];
  const kind = KINDS.find((one) => one.path.test(path));
  return kind ? kind.lines(text, isPart) : programLine(path, text);
}

/** Whether a file of this name is read for commands at all; any other one may be a script by its first line. */
export function mayHaveLines(path: string, text: string): boolean {
  if (isExample(path)) return TEST.test(path);
  const name = basename(path);
  const ending = extname(name).toLowerCase();
  const isProgram =
    SHELL_SCRIPT.test(ending) ||
    COMPILED.test(ending) ||
    /^\.(?:bat|cmd)$/.test(ending) ||
    RUBY_FILE.test(name);
  return (
    isProgram ||
    entryOf(INTERPRETERS, ending) !== undefined ||
    KINDS.some((one) => one.path.test(path)) ||
    ending === '' ||
    FOR_A_SHELL.test(text)
  );
}

function programLine(path: string, text: string, how?: Runs): readonly Line[] {
  const name = basename(path);
  const ending = extname(name).toLowerCase();
  const runs = how ?? (ALONE.test(path) ? 'alone' : 'called');
  if (SHELL_SCRIPT.test(ending) || FOR_A_SHELL.test(text)) return runningAs(runs, scriptParts(text));
  if (/^\.(?:bat|cmd)$/.test(ending)) return runningAs(runs, scriptParts(batchText(text)));
  const code = gist(text);
  if (COMPILED.test(ending)) return runningAs(runs, shellLinesIn(code));
  const interpreter = RUBY_FILE.test(name) ? 'ruby -e' : entryOf(INTERPRETERS, ending);
  if (interpreter === undefined) return [];
  const plain = withoutMentions(code, HASH_COMMENTS.test(interpreter) ? '#' : '//');
  const program = ending === '.php' ? plain.replace(/<\?(?:php|=)?|\?>/g, ' ') : plain;
  const own = `${interpreter} ${shellQuoted(program)}`;
  return runningAs(runs, interpreter === 'ruby -e' ? [own, ...shellLinesIn(code)] : [own]);
}

/** Without comments and labels, and with variables as other shells write them. */
function batchText(text: string): string {
  return text
    .replace(/^[ \t]*@?(?:rem\b.*|:.*)$/gim, '')
    .replace(/^[ \t]*@/gm, '')
    .replace(/%(\w+)%/g, '$$$1');
}

/** What git starts before a commit or a push. */
export const HOOK_FILE: RegExp =
  /(?:^|\/)(?:\.husky|\.githooks|\.git\/hooks)\/(?:pre|commit|post|prepare)-[a-z-]+$/;
