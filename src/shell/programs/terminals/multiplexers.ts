import { UNKNOWN, type Word } from '../../analysis.ts';
import { type Call, literal } from '../../call.ts';
import { tmuxCommands } from '../../code/tmux.ts';
import type { CodeTable, TextReader } from '../../tool.ts';
import { runFile } from '../../tools/runners.ts';
import { fromCodes, typed, typedFrom } from '../../tools/typing.ts';
import { commandText, tmux } from './tmux.ts';

/** Commands of screen, parsed like the words of `screen -X`. It quotes as tmux does. */
function screenCommands(call: Call, text: string): void {
  for (const words of tmuxCommands(text)) screenCommand(call, words.map(literal));
}

function screenCommand(call: Call, words: readonly Word[]): void {
  const name = words[0]?.template ?? '';
  if (/^[a-z]/.test(name)) call.runArgv([literal('screen'), literal('-X'), ...words]);
}

/** Number of words before a deferred command: `bind k stuff x`, `at 0 stuff x`. */
const LATER: Readonly<Record<string, number>> = { bind: 1, bindkey: 1, at: 1, idle: 1 };

function screenAction(call: Call, name: string, words: readonly Word[]): void {
  const [first, ...rest] = words;
  const later = LATER[name];
  if (name === 'stuff') typed(call, words);
  else if (name === 'register' || name === 'process') typed(call, rest);
  else if (name === 'readbuf') typedFrom(call, first);
  else if (name === 'source' && first) runFile(call, first, screenCommands);
  else if (name === 'eval') for (const { template } of words) screenCommands(call, template);
  else if (later !== undefined) screenCommand(call, withoutOptions(words).slice(later));
  else if (name === 'backtick') call.runArgv(words.slice(3));
  else if (/^(?:logfile|hardcopy|writebuf|dumptermcap)$/.test(name))
    call.write(withoutOptions(words)[0] ?? null);
  else if (/^(?:screen|exec|shell|defshell)$/.test(name))
    // A window number or an encoding may come first.
    call.runArgv(
      withoutOptions(words).filter(({ template }, at) => at > 0 || !/^(?:\d+|[.!:|]+)$/.test(template)),
    );
}

function withoutOptions(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex(({ template }) => !template.startsWith('-'));
  return at < 0 ? [] : words.slice(at);
}

function screen(call: Call): string {
  const { operands } = call;
  const command = call.value('-X');
  const { argv } = call.command;
  call.write(argv[argv.findIndex(({ text }) => text === '-Logfile') + 1 || argv.length] ?? null);
  for (const { template } of call.values('-s')) call.runText(template);
  if (command !== null) screenAction(call, command.template, operands);
  else if (operands.length > 0) call.runArgv(operands);
  return UNKNOWN;
}

/** `zellij action write-chars …`, `zellij action write 104 111`, `zellij run -- …`. */
function zellij(call: Call): string {
  const [verb, action, ...words] = call.operands;
  const isNew = (text: string | undefined) => /^(?:new-pane|new-tab|edit)$/.test(text ?? '');
  if (verb?.template === 'run' && action) call.runArgv([action, ...words]);
  else if (verb?.template !== 'action' && verb?.template !== 'ac') return UNKNOWN;
  else if (action?.template === 'write-chars') typed(call, words);
  else if (action?.template === 'write') typed(call, [literal(fromCodes(words, 10))]);
  else if (isNew(action?.template) && words.length > 0) call.runArgv(words);
  return UNKNOWN;
}

/** `pane command="npm" { args "test"; }` in a layout, `Run "npm" "test"` and `WriteChars "x"` in a key binding. */
function zellijFile(call: Call, text: string): void {
  for (const [, command = '', args = ''] of text.matchAll(
    /\b(?:command|default_shell|Run)[\s=]+"([^"\n]*)"((?:[^"\n}]*\n?[^"\n}]*\bargs\b(?:\s*"[^"\n]*")+|(?:[ \t]+"[^"\n]*")+)?)/g,
  ))
    call.runText([command, ...[...args.matchAll(/"([^"]*)"/g)].map(([, arg = '']) => `'${arg}'`)].join(' '));
  for (const [, keys = ''] of text.matchAll(/\bWriteChars\s+"([^"\n]*)"/g)) typed(call, [literal(keys)]);
}

/**
 * Terminal multiplexers. Their terminals outlive the process that opened them, and other processes can read them and
 * type into them.
 */
export const MULTIPLEXERS: CodeTable = { screen, tmux, zellij };

/** Files that they execute. */
export const MULTIPLEXER_TEXTS: Readonly<Record<string, TextReader>> = {
  'screen-file': screenCommands,
  'tmux-file': commandText,
  'zellij-file': zellijFile,
};
