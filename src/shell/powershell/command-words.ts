/** One command of a PowerShell text: its unquoted words, and where its input comes from. */
export interface PowerShellCommand {
  readonly words: readonly string[];
  readonly piped: boolean;
}

const MAX_COMMANDS = 60;
/** Words that only structure the text. */
const KEYWORDS =
  /^(?:if|else|elseif|foreach|for|while|do|try|catch|finally|return|function|param|begin|process|end|in)$/i;

/** The commands of a text in written order, including those in blocks and brackets. Null if a quote is not closed. */
export function powerShellCommands(text: string): readonly PowerShellCommand[] | null {
  const commands: PowerShellCommand[] = [];
  let words: string[] = [];
  let word: string | null = null;
  let piped = false;
  const endWord = () => {
    if (word !== null && !(words.length === 0 && KEYWORDS.test(word))) words.push(word);
    word = null;
  };
  const endCommand = (pipes: boolean) => {
    endWord();
    if (words.length > 0 && commands.length < MAX_COMMANDS) commands.push({ words, piped });
    piped = pipes;
    words = [];
  };
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === "'" || character === '"') {
      const end = endOfQuote(text, i, character);
      if (end < 0) return null;
      word = (word ?? '') + text.slice(i + 1, end);
      i = end;
    } else if (character === '`' && i + 1 < text.length) word = (word ?? '') + text.charAt(++i);
    else if (character === '#' && word === null) {
      const end = text.indexOf('\n', i);
      i = end < 0 ? text.length : end - 1;
    } else if (/[;\n(){}]/.test(character)) endCommand(false);
    else if (character === '|') {
      endCommand(text.charAt(i + 1) !== '|');
      if (text.charAt(i + 1) === '|') i++;
    } else if (character === '&' && text.charAt(i + 1) === '&') {
      endCommand(false);
      i++;
    } else if (/\s/.test(character)) endWord();
    else word = (word ?? '') + character;
  }
  endCommand(false);
  return commands;
}

function endOfQuote(text: string, at: number, quote: string): number {
  for (let i = at + 1; i < text.length; i++) {
    if (quote === '"' && text[i] === '`') i++;
    else if (text[i] === quote) return i;
  }
  return -1;
}
