import type { Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import type { Language } from '../code/language.ts';
import { LANGUAGES } from '../code/languages.ts';
import { RUST, withArguments } from '../code/rust.ts';
import { scanCode } from '../code/scan.ts';
import { announce } from './shells.ts';

interface Kind {
  readonly files: RegExp;
  readonly language: Language;
}

const SCRIPT: Kind = { files: /\.[cm]?[jt]sx?$/, language: LANGUAGES.node };
const PYTHON: Kind = { files: /\.py$/, language: LANGUAGES.python };
const RUBY: Kind = { files: /\.rb$/, language: LANGUAGES.ruby };
const PHP: Kind = { files: /\.php$/, language: LANGUAGES.php };
const GO: Kind = { files: /\.go$/, language: LANGUAGES.go };
const RS: Kind = { files: /\.rs$/, language: RUST };
const JAVA: Kind = { files: /\.(?:java|kts?|groovy|scala)$/, language: LANGUAGES.jshell };

/** Programs that run the code of the project that they stand in, and the verbs with which they do. */
const RUNNERS: ReadonlyMap<string, readonly [Kind, RegExp]> = new Map([
  ...of(
    'vitest jest mocha ava tap jasmine playwright cypress wdio karma testcafe uvu c8 nyc vite-node',
    SCRIPT,
  ),
  ...of('bun', SCRIPT, /^test$/),
  ...of('pytest py.test nose2 tox nox behave unittest', PYTHON),
  ...of('rspec cucumber minitest', RUBY),
  ...of('phpunit pest codecept phpspec', PHP),
  ...of('go', GO, /^(?:run|test|generate|build|vet)$/),
  ...of('cargo', RS, /^(?:run|test|build|check|bench|t|r|b|nextest)$/),
  ...of('rustc', RS),
  ...of('java javac', JAVA),
]);

function of(names: string, kind: Kind, verb = /^/): [string, readonly [Kind, RegExp]][] {
  return names.split(' ').map((name) => [name, [kind, verb]]);
}

const MAX_FILES = 32;

/** What the session has written of the code that such a program runs: what was there before is the project's own. */
export function runProjectCode(call: Call): void {
  const [kind, verb] = RUNNERS.get(call.name) ?? [];
  if (kind === undefined || !verb?.test(call.command.sub[0] ?? '')) return;
  const paths = call.walk.store.paths().filter((path) => kind.files.test(path));
  if (paths.length === 0) return;
  const named = call.operands
    .flatMap((word) => pathOf(call, word) ?? [])
    .filter((path) => kind.files.test(path));
  const isRun = (path: string) =>
    named.length > 0 ? named.includes(path) : call.cwd !== null && path.startsWith(`${call.cwd}/`);
  for (const path of paths.filter(isRun).slice(0, MAX_FILES)) scanFile(call, path, kind);
}

function pathOf(call: Call, word: Word): string | null {
  return word.text === null ? null : call.path(word).path;
}

function scanFile(call: Call, path: string, { language }: Kind): void {
  const written = call.walk.store.script(path);
  if (written === undefined || !announce(call, { ...written, path })) return;
  scanCode(call, language === RUST ? withArguments(written.template) : written.template, language);
}
