import { entryOf } from '../../../model/lookup.ts';
import { UNKNOWN, type Word } from '../../analysis.ts';
import { type Call, literal } from '../../call.ts';
import { formatLines, splitCommands, tmuxCommands } from '../../code/tmux.ts';
import { isUnknown } from '../../placeholders.ts';
import { runFile } from '../../tools/runners.ts';
import { fromCodes, typed, typedFrom } from '../../tools/typing.ts';
import { makeWord } from '../../word.ts';

const joined = (words: readonly Word[]) => words.map(({ template }) => template).join(' ');

/** A shell line with formats. */
function shellLine(call: Call, words: readonly Word[]): string {
  const line = joined(words).replace(/#\{[^{}]*\}/g, UNKNOWN);
  if (isUnknown(line)) call.execute('unknown');
  return call.runText(line);
}

/** What a new pane runs: one word is a shell line, several are a program and its arguments. */
function paneCommand(call: Call, words: readonly Word[]): void {
  if (words.length > 1) call.runArgv(words);
  else shellLine(call, words);
}

/** Nested tmux commands, as a text or as words. */
function commands(call: Call, words: readonly Word[]): void {
  const [first, ...rest] = words;
  if (first === undefined) return;
  if (rest.length === 0) commandText(call, first.template);
  else again(call, words);
}

export function commandText(call: Call, text: string): void {
  for (const words of tmuxCommands(text)) again(call, words.map(literal));
}

function again(call: Call, words: readonly Word[]): void {
  call.runArgv([literal('tmux'), ...words]);
}

function sendKeys(call: Call, words: readonly Word[]): void {
  const [first, second] = words;
  if (call.has('-X')) {
    if (/pipe/.test(first?.template ?? '') && second) shellLine(call, [second]);
  } else if (call.has('-H')) typed(call, [literal(fromCodes(words, 16))]);
  else {
    // Keys are joined without spaces, and some have names.
    const keys = words.map(({ template }) => (call.has('-l') ? template : keyOf(template)));
    if (keys.some(isUnknown)) call.execute('unknown');
    typed(call, [literal(keys.join(''))]);
  }
}

function keyOf(name: string): string {
  if (/^(?:(?:KP)?Enter|C-[mjcu]|Escape)$/i.test(name)) return '\n';
  return /^Space$/i.test(name) ? ' ' : name;
}

function setOption(call: Call, [option, value]: readonly Word[]): void {
  const name = option?.template ?? '';
  if (value === undefined) return;
  if (name === 'default-shell') call.runArgv([value]);
  else if (name.startsWith('command-alias')) commandText(call, value.template.replace(/^[^=]*=/, ''));
  else if (/command$|^editor$/.test(name)) shellLine(call, [value]);
}

function runShell(call: Call, words: readonly Word[]): void {
  if (call.has('--commands')) commands(call, words);
  else shellLine(call, words);
}

function ifShell(call: Call, [test, ...branches]: readonly Word[]): void {
  if (test && !call.has('-F')) shellLine(call, [test]);
  for (const branch of branches) commandText(call, branch.template);
}

function pipePane(call: Call, words: readonly Word[]): void {
  const printed = words.length > 0 ? shellLine(call, words) : '';
  if (call.has('-I')) typed(call, [literal(printed)]);
}

function sourceFiles(call: Call, files: readonly Word[]): void {
  for (const file of files) runFile(call, file, commandText);
}

/** Triples of name, key and command; an empty name is a separator. */
function menu(call: Call, words: readonly Word[]): void {
  for (const word of words) commandText(call, word.template);
}

/** What each command does with its arguments. */
const ACTIONS: Readonly<Record<string, (call: Call, words: readonly Word[]) => void>> = {
  'new-session': paneCommand,
  'new-window': paneCommand,
  'split-window': paneCommand,
  'respawn-pane': paneCommand,
  'respawn-window': paneCommand,
  'display-popup': paneCommand,
  'run-shell': runShell,
  'if-shell': ifShell,
  'pipe-pane': pipePane,
  'send-keys': sendKeys,
  'set-buffer': typed,
  'load-buffer': (call, [file]) => typedFrom(call, file),
  'save-buffer': (call, [file]) => call.write(file ?? null),
  'source-file': sourceFiles,
  'bind-key': (call, [, ...command]) => commands(call, command),
  'set-hook': (call, [, ...command]) => commands(call, command),
  'confirm-before': commands,
  'command-prompt': commands,
  'display-menu': menu,
  'choose-tree': commands,
  'choose-buffer': commands,
  'choose-client': commands,
  'set-option': setOption,
  'set-window-option': setOption,
};

/** tmux runs a shell line in a session that outlives the caller, or types into one. */
export function tmux(call: Call): string {
  const [program, ...words] = call.command.argv;
  const parts = splitCommands(words, (word) => makeWord(word.template.slice(0, -1), word.raw));
  if (program && parts.length > 1) {
    for (const part of parts) call.runArgv([program, ...part]);
    return UNKNOWN;
  }
  for (const line of call.values('-c')) shellLine(call, [line]);
  if (call.has('-C') && call.command.stdin.from !== 'terminal') runFile(call, literal('-'), commandText);
  for (const line of words.flatMap(({ template }) => formatLines(template)))
    shellLine(call, [literal(line ?? UNKNOWN)]);
  const { operands } = call;
  if (operands.length > 0) entryOf(ACTIONS, call.command.sub[0] ?? '')?.(call, operands);
  return UNKNOWN;
}
