import { entryFor } from '../../knowledge/load.ts';
import type { CODE_IN } from '../../knowledge/traits.ts';
import type { Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import type { Language } from '../code/language.ts';
import { LANGUAGES } from '../code/languages.ts';
import { RUST, withArguments } from '../code/rust.ts';
import { scanCode } from '../code/scan.ts';
import { consoleCode } from './console-code.ts';
import { announce } from './shells.ts';

interface Kind {
  readonly files: RegExp;
  readonly language: Language;
}

const KINDS: Readonly<Record<(typeof CODE_IN)[number], Kind>> = {
  node: { files: /\.[cm]?[jt]sx?$/, language: LANGUAGES.node },
  python: { files: /\.py$/, language: LANGUAGES.python },
  ruby: { files: /\.rb$/, language: LANGUAGES.ruby },
  php: { files: /\.php$/, language: LANGUAGES.php },
  go: { files: /\.go$/, language: LANGUAGES.go },
  rust: { files: /\.rs$/, language: RUST },
  java: { files: /\.(?:java|kts?|groovy|scala)$/, language: LANGUAGES.jshell },
};

const MAX_FILES = 32;

/** Files of the executed code that the session wrote. Earlier files belong to the project. */
export function runProjectCode(call: Call): void {
  const { in: language, written = [], console: consoles } = entryFor(call.name)?.code ?? {};
  if (language === undefined) return;
  if (consoles) consoleCode(call, KINDS[language].language, consoles);
  if (written !== true && !written.includes(call.command.sub[0] ?? '')) return;
  const kind = KINDS[language];
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
