import { type PowerShellCommand, powerShellCommands } from './powershell-words.ts';

/** Commands that do nothing but look, or that only matter for what comes after them. */
const LOOKS =
  /^(?:(?:get|test|select|where|foreach|sort|measure|write|compare|convertto|convertfrom|join|split|resolve|group|show|find|wait|read)-\w+|format-(?:table|list|wide|custom|hex)|out-(?:host|string|null|gridview|default)|(?:push|pop|set)-location|start-sleep|import-module|gci|ls|dir|gc|pwd|echo|select|where|sort|measure|ft|fl|cd|%|\?)$/;

/** Texts of nothing but these are looked through completely, blocks and variables included. */
export const onlyLooks = (commands: readonly PowerShellCommand[]): boolean =>
  commands.every(({ words: [name = ''] }) => LOOKS.test(name.toLowerCase()));

/** Whose effects are all in its words: the parameters that may stand there, besides switches. */
const CHANGES: Readonly<Record<string, RegExp>> = {
  'new-item': /^-(?:path|itemtype|type|force)$/,
  'copy-item': /^-(?:path|literalpath|destination|recurse|force|container|verbose)$/,
  'move-item': /^-(?:path|literalpath|destination|force|verbose)$/,
  'remove-item': /^-(?:path|literalpath|recurse|force|verbose)$/,
  'set-content': /^-(?:path|literalpath|value|encoding|nonewline|force)$/,
  'add-content': /^-(?:path|literalpath|value|encoding|nonewline|force)$/,
  'out-file': /^-(?:filepath|literalpath|append|encoding|nonewline|width|force)$/,
};
const TAKES_AWAY = /^(?:remove|move)-item$/;
const TAKES_INPUT = /^(?:(?:set|add)-content|out-file)$/;

/** Programs of developers, called as in any shell. No alias of PowerShell is among them. */
const PROGRAM =
  /^(?:dotnet|npm|pnpm|yarn|npx|node|tsc|git|gh|python3?|py|pip3?|cargo|go|cmake|ctest|ninja|msbuild|nuget|gradle|mvn|java|javac|docker|kubectl|terraform|flutter|dart|adb|\.[\\/][\w.\\/-]+)$/i;

/** Text in which nothing is replaced. */
const QUOTED = /'[^'\n]*'|"[^"$`\n]*"/g;
/** `$env:NAME = 'text'`, which is `export NAME=text`; with QUOTED as an x. */
const SETTING = /(?<=^|[;\n])\s*\$env:\w+\s+=\s+x\s*(?=[;\n]|$)/gi;

/**
 * The commands of a text that is no more than a list of them: no variables, blocks, brackets, lists or operators, so
 * that nothing is computed, and only places below the project. Null for any other text.
 */
export function plainCommands(text: string): readonly PowerShellCommand[] | null {
  if (/[$(){}[\]@&`,<>%?#'"]|\|\|/.test(text.replace(QUOTED, 'x').replace(SETTING, ''))) return null;
  const commands = powerShellCommands(text)?.map(({ words, piped }) => ({ words: asExport(words), piped }));
  return commands?.every(({ words, piped }) => isPlain(words, piped)) ? commands : null;
}

function asExport(words: readonly string[]): readonly string[] {
  const [variable = '', , value = ''] = words;
  return variable.startsWith('$') ? ['export', `${variable.slice('$env:'.length)}=${value}`] : words;
}

function isPlain([first = '', ...rest]: readonly string[], piped: boolean): boolean {
  const name = first.toLowerCase();
  const places = rest.every(isBelow);
  if (LOOKS.test(name)) return places;
  if (PROGRAM.test(first) || first === 'export') return !piped;
  const parameters = Object.hasOwn(CHANGES, name) ? CHANGES[name] : undefined;
  if (!parameters || !places || (piped && !TAKES_INPUT.test(name))) return false;
  if (TAKES_AWAY.test(name) && rest.some((word) => word.includes('*'))) return false;
  if (/-(?:item)?type (?!file$|file |directory$|directory )/i.test(rest.join(' '))) return false;
  return rest.every((word) => !word.startsWith('-') || parameters.test(word.toLowerCase()));
}

/** A word that, read as a path, leads nowhere but down, and to nothing that is hidden. */
function isBelow(word: string): boolean {
  return !/^[\\/~]|:|(?:^|[\\/])\.[^\\/]/.test(word);
}
