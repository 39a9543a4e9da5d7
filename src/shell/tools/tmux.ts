import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { formatLines, splitCommands, tmuxCommands } from '../code/tmux.ts';
import { isUnknown } from '../marks.ts';
import type { Tool } from '../tool.ts';
import { makeWord } from '../word.ts';
import { runFile } from './runners.ts';
import { fromCodes, typed, typedFrom } from './typing.ts';

/** One command of tmux: its names, the options that take a value, and what it does with its words. */
interface Action {
  readonly names: readonly string[];
  /** As in a tool's table. `-c`, `-f` and `-C` have names of their own, because tmux itself has them too. */
  readonly options: string;
  readonly does?: (call: Call, words: readonly Word[]) => void;
}

const joined = (words: readonly Word[]) => words.map(({ template }) => template).join(' ');

/** A line for a shell, in which formats are filled in. */
function shellLine(call: Call, words: readonly Word[]): string {
  const line = joined(words).replace(/#\{[^{}]*\}/g, UNKNOWN);
  if (isUnknown(line)) call.execute('unknown');
  return call.runText(line);
}

/** What a new pane runs: one word is a line for a shell, several are a program and its words. */
function paneCommand(call: Call, words: readonly Word[]): void {
  if (words.length > 1) call.runArgv(words);
  else shellLine(call, words);
}

/** Further commands of tmux, as a text or as its words. */
function commands(call: Call, words: readonly Word[]): void {
  const [first, ...rest] = words;
  if (first === undefined) return;
  if (rest.length === 0) commandText(call, first.template);
  else again(call, words);
}

function commandText(call: Call, text: string): void {
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
    // Keys follow each other without a space, and some have names.
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

const TARGETS = 't= c,start= e= F=';

const ACTIONS: readonly Action[] = [
  {
    names: ['new-session', 'new'],
    options: `${TARGETS} A d D E P X f,flags= n= s= x= y=`,
    does: paneCommand,
  },
  { names: ['new-window', 'neww'], options: `${TARGETS} a b d k P S n=`, does: paneCommand },
  { names: ['split-window', 'splitw'], options: `${TARGETS} b d f,full h I v P Z l= p=`, does: paneCommand },
  { names: ['respawn-pane', 'respawnp'], options: `${TARGETS} k`, does: paneCommand },
  { names: ['respawn-window', 'respawnw'], options: `${TARGETS} k`, does: paneCommand },
  {
    names: ['display-popup', 'popup'],
    options: `${TARGETS} B C,close E k N b= d= h= s= S= T= w= x= y=`,
    does: paneCommand,
  },
  {
    names: ['run-shell', 'run'],
    options: `${TARGETS} b C,commands d= E`,
    does: (call, words) => (call.has('--commands') ? commands(call, words) : shellLine(call, words)),
  },
  {
    names: ['if-shell', 'if'],
    options: 'b F t=',
    does(call, [test, ...branches]) {
      if (test && !call.has('-F')) shellLine(call, [test]);
      for (const branch of branches) commandText(call, branch.template);
    },
  },
  {
    names: ['pipe-pane', 'pipep'],
    options: 'I O o t=',
    does(call, words) {
      const printed = words.length > 0 ? shellLine(call, words) : '';
      if (call.has('-I')) typed(call, [literal(printed)]);
    },
  },
  { names: ['send-keys', 'send'], options: 'F K l H M R X c,client= N= t=', does: sendKeys },
  { names: ['set-buffer', 'setb'], options: 'a w b= n= t=', does: typed },
  {
    names: ['load-buffer', 'loadb'],
    options: 'w b= t=',
    does: (call, [file]) => typedFrom(call, file),
  },
  { names: ['save-buffer', 'saveb'], options: 'a b=', does: (call, [file]) => call.write(file ?? null) },
  {
    names: ['source-file', 'source'],
    options: 'F n q v t=',
    does(call, files) {
      for (const file of files) runFile(call, file, commandText);
    },
  },
  {
    names: ['bind-key', 'bind'],
    options: 'n r N= T=',
    does: (call, [, ...command]) => commands(call, command),
  },
  { names: ['set-hook'], options: 'a g p R u w t=', does: (call, [, ...command]) => commands(call, command) },
  { names: ['confirm-before', 'confirm'], options: 'b y c,key= p= t=', does: commands },
  { names: ['command-prompt'], options: '1 b e F i k l N I= p= t= T=', does: commands },
  {
    names: ['display-menu', 'menu'],
    options: 'M O b= c,client= C,choice= H= s= S= t= T= x= y=',
    // A name, a key and a command each; an empty name is a line between them.
    does(call, words) {
      for (const word of words) commandText(call, word.template);
    },
  },
  { names: ['choose-tree'], options: 'G N r w Z s F= f,filter= K= O= t=', does: commands },
  { names: ['choose-buffer'], options: 'N r Z F= f,filter= K= O= t=', does: commands },
  { names: ['choose-client'], options: 'N r Z F= f,filter= K= O= t=', does: commands },
  { names: ['set-option', 'set'], options: 'a F g o p q s u U w t=', does: setOption },
  { names: ['set-window-option', 'setw'], options: 'a F g o q u t=', does: setOption },
  { names: ['display-message', 'display'], options: 'a C,ignore I l N p v c,client= d= t= F=' },
];

/** tmux takes the beginning of a name for the name; what is a name of its own stays that. */
function synonyms(): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const { names } of ACTIONS)
    for (const name of names)
      for (let length = name.length - 1; length > 1; length--)
        all[name.slice(0, length)] ??= names[0] ?? name;
  for (const { names } of ACTIONS) for (const name of names) all[name] = names[0] ?? name;
  return all;
}

const byName = new Map(ACTIONS.flatMap((action) => action.names.map((name) => [name, action] as const)));

function run(call: Call): string {
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
  if (operands.length > 0) byName.get(call.command.sub[0] ?? '')?.does?.(call, operands);
  return UNKNOWN;
}

/** tmux starts a shell line in a session that outlives the caller, or types into one. */
export const TMUX: Tool = {
  options: '2 C D N l q u v V c= f= L= S= T=',
  sub: 1,
  synonyms: synonyms(),
  subOptions: Object.fromEntries(ACTIONS.map(({ names, options }) => [names[0] ?? '', options])),
  stopAfter: ACTIONS.map(({ names }) => names[0] ?? ''),
  executes: {
    options: ['-f'],
    found: ['HOME/.tmux.conf', 'XDG_CONFIG_HOME/tmux/tmux.conf'],
    as: commandText,
  },
  run,
};
