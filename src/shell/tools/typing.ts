import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import type { CodeTable } from '../tool.ts';
import { scriptFile } from './shells.ts';

/** Keys sent to the shell of another window: one line per Enter, in any spelling of that key. */
export function typed(call: Call, words: readonly Word[]): void {
  const line = words
    .map((word) => word.template)
    .join(' ')
    .replace(/(?:\\[nr]|\\x0[ad]|\\01[25]|\^[MJ]|[\r\n])/g, '\n');
  const { walk } = call;
  const before = walk.typed;
  const whole = before + line;
  walk.typed = whole.slice(Math.max(whole.lastIndexOf('\n') + 1, whole.length - LONGEST_TYPED));
  call.runText(line);
  // It may continue a line that was typed before.
  if (before.trim() !== '') call.runText(whole);
}

const LONGEST_TYPED = 200;

/** A file whose content is typed later. */
export function typedFrom(call: Call, file: Word | undefined): void {
  if (file === undefined) return;
  call.read(file);
  const text = file.text === '-' ? call.command.stdin.template : scriptFile(call, file).template;
  if (text !== '' && text !== UNKNOWN) typed(call, [literal(text)]);
}

/** `type "x"`: one action per line, on the input of xdotool and dotool. */
export function typedActions(call: Call, text: string): void {
  for (const [, line = ''] of text.matchAll(/^\s*type\s+(.+)$/gm))
    typed(call, [literal(line.replace(/^(['"])(.*)\1\s*$/, '$2'))]);
}

/** `kitty @ send-text …`, `wezterm cli spawn …`: remote control of a terminal. */
function remoteControl(call: Call): undefined {
  const [verb, ...words] = call.operands.filter(({ template }) => !/^(?:@|cli)$/.test(template));
  if (verb?.template === 'send-text')
    typed(call, words.length > 0 ? words : [literal(call.command.stdin.template)]);
  else if (/^(?:launch|spawn|split-pane|start|new-window)$/.test(verb?.template ?? '') && words.length > 0)
    call.runArgv(words);
}

export const fromCodes = (words: readonly Word[], radix: number): string =>
  words.map(({ text }) => String.fromCharCode(Number.parseInt(text ?? '', radix) || 63)).join('');

/** Programs that send keys to the focused window. */
function keyboard(call: Call): undefined {
  const [verb, ...words] = call.operands;
  if (call.name === 'wtype') typed(call, call.operands);
  else if (verb?.template === 'type') {
    typedFrom(call, call.value('--file') ?? undefined);
    if (words.length > 0) typed(call, words);
  } else if (verb?.template === '-') typedActions(call, call.command.stdin.template);
  else if (verb?.template === 'exec') {
    const { argv } = call.command;
    call.runArgv(
      argv.slice(argv.indexOf(verb) + 1).filter(({ text }) => !/^--(?:sync|args=.*)$/.test(text ?? '')),
    );
  }
}

export const TYPING: CodeTable = { 'remote-control': remoteControl, keyboard };
