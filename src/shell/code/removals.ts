import type { Action } from './language.ts';

/** They take a folder away only where they are told to: `fs.rmSync(x)` fails on one. */
const IF_TOLD = /(?:^|\.)(?:rm|rmSync|rmdir|rmdirSync|Deno\.remove|Deno\.removeSync)$/;
const MAX_ARGUMENTS = 400;

/** What a call that removes things takes: `call` is its text from the opening parenthesis on. */
export function removalOf(action: Action, name: string, call: string): Action {
  if (action !== 'delete-tree' || !IF_TOLD.test(name)) return action;
  const given = argumentsIn(call.slice(0, MAX_ARGUMENTS));
  if (given === null || /recursive|\.\.\./.test(given)) return action;
  const [, options = ''] = /,\s*([\s\S]*)$/.exec(withoutTexts(given)) ?? [];
  // Options by a name, or with a key that is computed, may say anything.
  return /^(?:$|\{[^[]*$|(?:async\s+)?function\b|\w*\s*=>)/.test(options.trim()) ? 'delete' : action;
}

/** The arguments without what stands in quotes and in brackets of their own. */
function withoutTexts(given: string): string {
  let text = given.replace(/`[^`]*`|'[^']*'|"[^"]*"/g, '""');
  for (let inner = 0; inner < 8 && /\([^()]*\)/.test(text); inner++) text = text.replace(/\([^()]*\)/g, '');
  return text;
}

/** The text between the first parenthesis and the one that closes it; null where that is too far away. */
export function argumentsIn(text: string): string | null {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return text.slice(text.indexOf('(') + 1, at);
  }
  return null;
}
