import type { Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import type { Language } from '../code/language.ts';
import { scanCode } from '../code/scan.ts';
import { hasUnknown } from '../placeholders.ts';
import { ownText, scriptFile, scriptInput } from './shells.ts';

const CODE_OPTION = /^(?:-c|--command|-e|--execute)$/;
const CODE_IN_OPTION = /^--(?:command|execute)=/;

/**
 * Code for a framework console, which knows the project's models by name: `manage.py shell -c CODE`. The knowledge file
 * names the words that open it.
 */
export function consoleCode(call: Call, language: Language, consoles: readonly string[]): void {
  const words = call.command.argv.slice(1);
  const opened = consoles.find((phrase) => phrase.split(' ').every((word, at) => isCalled(words[at], word)));
  if (opened === undefined) return;
  const [first, second] = words.slice(opened.split(' ').length);
  if (first && CODE_OPTION.test(first.template)) read(call, language, second);
  else if (first && CODE_IN_OPTION.test(first.template))
    read(call, language, first, first.template.indexOf('=') + 1);
  else if (first && !first.template.startsWith('-')) read(call, language, first);
  else if (call.command.stdin.from !== 'terminal') scan(call, language, scriptInput(call).template);
}

const isCalled = (word: Word | undefined, name: string): boolean =>
  word?.text === name || word?.text?.endsWith(`/${name}`) === true;

/** A word that names a file stands for its content. */
function read(call: Call, language: Language, word: Word | undefined, from = 0): void {
  if (word === undefined || !ownText(call, word)) return;
  const isFile = /\.(?:rb|py|php|rake)$/.test(word.text ?? '');
  scan(call, language, isFile ? scriptFile(call, word).template : word.template.slice(from));
}

function scan(call: Call, language: Language, code: string): void {
  if (!hasUnknown(code)) scanCode(call, code, language, { framework: true });
}
