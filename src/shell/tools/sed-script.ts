/** Effects of a sed command beyond printing. `run` without a line runs the pattern space; `put`: literal text. */
interface SedAction {
  readonly does: 'read' | 'write' | 'run' | 'put';
  readonly text: string;
}

/** `&` and `\1` in a replacement stand for the match. */
const WITH_INPUT = /(?:^|[^\\])&|\\\d/;

/** Files that a sed script reads and writes, and commands it runs: `w x`, `wx`, `s/a/b/w x`, `1e id`. */
export function sedActions(script: string): SedAction[] {
  return actionsOf(script).filter(({ does }) => does !== 'put');
}

/** Texts that it inserts into its output. */
export function sedTexts(script: string): readonly string[] {
  return actionsOf(script).flatMap(({ does, text }) => (does === 'put' ? text : []));
}

function actionsOf(script: string): SedAction[] {
  const actions: SedAction[] = [];
  let at = 0;
  let line = -1;
  while (at < script.length) {
    at = afterAddresses(script, at);
    const command = script.charAt(at);
    if (command === '') break;
    // Cached, because one line asks for it many times.
    if (line < at) line = endOfLine(script, at);
    const rest = () => script.slice(at + 1, line).trim();
    if (command === 's' || command === 'y') {
      const { end, replacement } = afterParts(script, at + 1);
      FLAGS.lastIndex = end;
      const [, flags = '', file = ''] = FLAGS.exec(script) ?? [];
      // The line with the replacement is run, and the rest of the line comes from the input.
      if (flags.includes('e'))
        actions.push(
          { does: 'run', text: replacement },
          ...(WITH_INPUT.test(replacement) ? [{ does: 'run', text: '' } as const] : []),
        );
      else if (command === 's') actions.push({ does: 'put', text: replacement });
      if (file !== '') actions.push({ does: 'write', text: file.trim() });
      at = file === '' ? end + flags.length : endOfLine(script, end);
    } else if (/[wWrR]/.test(command)) {
      actions.push({ does: /w/i.test(command) ? 'write' : 'read', text: rest() });
      at = line;
    } else if (command === 'e') {
      actions.push({ does: 'run', text: rest() });
      at = line;
    } else if (/[aic]/.test(command)) {
      const end = endOfText(script, at);
      actions.push({ does: 'put', text: script.slice(at + 1, end).replace(/^[ \t]*\\?\n?[ \t]*/, '') });
      at = end;
    } else if (/[#:v]/.test(command)) at = line;
    else if (/[btT]/.test(command)) at = behind(LABEL, script, at);
    else at += 1;
  }
  return actions;
}

// Matches at positions, because slicing would copy the rest of a long script at each character.
const ADDRESS = /[\s;{}\d$,~+!]*/y;
const PATTERN_FLAGS = /[IM]*/y;
const FLAGS = /([gpiImMe0-9]*)(?:w[ \t]*([^\n]*))?/y;
const LABEL = /[^;}\n]*/y;

function behind(sticky: RegExp, script: string, at: number): number {
  sticky.lastIndex = at;
  return at + (sticky.exec(script)?.[0].length ?? 0);
}

/** Numbers, `$`, patterns and the characters that join them. */
function afterAddresses(script: string, from: number): number {
  let at = from;
  for (;;) {
    at = behind(ADDRESS, script, at);
    const isCustom = script.charAt(at) === '\\';
    if (script.charAt(at) !== '/' && !isCustom) return at;
    at = afterPart(script, at + (isCustom ? 2 : 1), script.charAt(at + (isCustom ? 1 : 0)));
    at = behind(PATTERN_FLAGS, script, at);
  }
}

/** Position after the delimiter, which is literal in brackets. */
function afterPart(script: string, from: number, sign: string): number {
  let inBrackets = false;
  for (let at = from; at < script.length; at++) {
    const character = script.charAt(at);
    if (character === '\\') at++;
    else if (inBrackets)
      inBrackets = character !== ']' || /\[\^?$/.test(script.slice(Math.max(from, at - 2), at));
    else if (character === sign) return at + 1;
    else inBrackets = character === '[';
  }
  return script.length;
}

function afterParts(script: string, from: number): { readonly end: number; readonly replacement: string } {
  const sign = script.charAt(from);
  const second = afterPart(script, from + 1, sign);
  const end = endOfReplacement(script, second, sign);
  return { end, replacement: script.slice(second, end - 1) };
}

/** A bracket has no meaning in it. */
function endOfReplacement(script: string, from: number, sign: string): number {
  for (let at = from; at < script.length; at++) {
    if (script.charAt(at) === '\\') at++;
    else if (script.charAt(at) === sign) return at + 1;
  }
  return script.length;
}

function endOfLine(script: string, from: number): number {
  const end = script.indexOf('\n', from);
  return end < 0 ? script.length : end;
}

/** Inserted text continues after a line that ends in a backslash. */
function endOfText(script: string, from: number): number {
  let end = endOfLine(script, from);
  while (end < script.length && script.charAt(end - 1) === '\\') end = endOfLine(script, end + 1);
  return end;
}
