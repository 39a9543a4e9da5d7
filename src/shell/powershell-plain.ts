import { type PowerShellCommand, powerShellCommands } from './powershell-words.ts';

/** Commands that do nothing but look, or that only matter for what comes after them. */
const LOOKS =
  /^(?:(?:get|test|select|where|foreach|sort|measure|write|compare|convertto|convertfrom|join|split|resolve|group|show|find|wait|read)-\w+|format-(?:table|list|wide|custom|hex)|out-(?:host|string|null|gridview|default)|(?:push|pop|set)-location|start-sleep|import-module|gci|ls|dir|gc|pwd|echo|select|where|sort|measure|ft|fl|cd|%|\?)$/;

/** Texts of nothing but these are looked through completely, blocks and variables included. */
export const onlyLooks = (commands: readonly PowerShellCommand[]): boolean =>
  commands.every(({ words: [name = ''] }) => LOOKS.test(name.toLowerCase()));

/** Whose effects are all in its words: the parameters that may stand there. */
const CHANGES: Readonly<Record<string, RegExp>> = {
  'new-item': /^-(?:path|itemtype|type|force)$/,
  'copy-item': /^-(?:path|literalpath|destination|recurse|force|container|verbose)$/,
  'move-item': /^-(?:path|literalpath|destination|force|verbose)$/,
  'rename-item': /^-(?:path|literalpath|newname|force|verbose)$/,
  'remove-item': /^-(?:path|literalpath|recurse|force|verbose)$/,
  'set-content': /^-(?:path|literalpath|value|encoding|nonewline|force)$/,
  'add-content': /^-(?:path|literalpath|value|encoding|nonewline|force)$/,
  'out-file': /^-(?:filepath|literalpath|append|encoding|nonewline|width|force)$/,
  'expand-archive': /^-(?:path|literalpath|destinationpath|force)$/,
  'compress-archive': /^-(?:path|literalpath|destinationpath|force|update|compressionlevel)$/,
  'stop-process': /^-(?:name|id|force)$/,
  'invoke-webrequest': /^-(?:uri|outfile|usebasicparsing|timeoutsec)$/,
  'invoke-restmethod': /^-(?:uri|outfile|usebasicparsing|timeoutsec)$/,
};
const TAKES_AWAY = /^(?:(?:remove|move|rename)-item|stop-process)$/;
const TAKES_INPUT = /^(?:(?:set|add)-content|out-file)$/;
const FETCHES = /^invoke-/;

/** Programs of developers, called as in any shell. No alias of PowerShell is among them. */
const PROGRAM =
  /^(?:dotnet|npm|pnpm|yarn|npx|node|tsc|git|gh|python3?|py|pip3?|cargo|go|cmake|ctest|ninja|msbuild|nuget|gradle|mvn|java|javac|docker|kubectl|terraform|flutter|dart|adb|\.[\\/][\w.\\/-]+)$/i;

/** Text in which nothing is replaced. */
const QUOTED = /'[^'\n]*'|"[^"$`\n]*"/g;
/** `$env:NAME = 'text'`, which is `export NAME=text`; with QUOTED as an x. */
const SETTING = /(?<=^|[;\n])\s*\$env:\w+\s+=\s+x\s*(?=[;\n]|$)/gi;
/** What only puts commands together: conditions, groups at the start of a command, `-replace x, x` behind one. */
const FRAME = new RegExp(
  [
    String.raw`(?<=^|[;{}\n]\s*)(?:if|elseif)\s*\(`,
    String.raw`(?<=^|[;{(|!\n]\s*)[({!]`,
    String.raw`[)}](?=\s*(?:$|[;{})|\n]|else|-replace\s))`,
    String.raw`(?<=\)\s*)\{|(?<=\}\s*else\s*)\{`,
    String.raw`(?<=\)\s*)-replace\s+x\s*,\s*x`,
  ].join('|'),
  'gi',
);
/** Longer texts are no plain lists, and the search for frames is not linear. */
const MAX_LENGTH = 2_000;
const COMPUTED = /[$(){}[\]@&`,<>%?#'"]|\|\|/;

/**
 * The commands of a text that is no more than a list of them: no variables, lists or operators, so that nothing is
 * computed, and only places below the project. Null for any other text.
 */
export function plainCommands(text: string): readonly PowerShellCommand[] | null {
  if (text.length > MAX_LENGTH) return null;
  const frame = text.replace(QUOTED, 'x').replace(SETTING, '');
  if (COMPUTED.test(frame.replace(FRAME, ' '))) return null;
  const commands = powerShellCommands(text)
    ?.filter(({ words: [first = ''] }) => first !== '!' && first.toLowerCase() !== '-replace')
    .map(({ words, piped }) => ({ words: asExport(words), piped }));
  return commands?.every(({ words, piped }) => isPlain(words, piped)) ? commands : null;
}

function asExport(words: readonly string[]): readonly string[] {
  const [variable = '', , value = ''] = words;
  return variable.startsWith('$') ? ['export', `${variable.slice('$env:'.length)}=${value}`] : words;
}

function isPlain([first = '', ...rest]: readonly string[], piped: boolean): boolean {
  const name = first.toLowerCase();
  if (LOOKS.test(name)) return rest.every((word) => isBelow(word) && !/^\.\w/.test(word));
  if (PROGRAM.test(first) || first === 'export') return !piped;
  const parameters = Object.hasOwn(CHANGES, name) ? CHANGES[name] : undefined;
  if (!parameters || (piped && !TAKES_INPUT.test(name))) return false;
  if (TAKES_AWAY.test(name) && rest.some((word) => word.includes('*'))) return false;
  if (/-(?:item)?type (?!file$|file |directory$|directory )/i.test(rest.join(' '))) return false;
  return (
    rest.some((word) => !word.startsWith('-')) &&
    rest.every((word) =>
      word.startsWith('-')
        ? parameters.test(word.toLowerCase())
        : isBelow(word) || (FETCHES.test(name) && /^https?:\/\/[\w.:/-]+$/.test(word)),
    )
  );
}

/** A word that, read as a path, leads nowhere but down. */
function isBelow(word: string): boolean {
  return !/^[\\/~]|:|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(word);
}
