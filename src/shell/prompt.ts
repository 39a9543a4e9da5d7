import { variablesIn } from '../knowledge/load.ts';
import { isLike } from '../knowledge/wildcard.ts';
import type { Call } from './call.ts';
import type { State } from './memory/state.ts';
import { known } from './word.ts';

const PROMPTED = /\$\{([A-Za-z_]\w*)@P\}/g;

/** `${x@P}`: what is substituted in the value is run, as it is in a prompt. */
export function runPrompted(call: Call, words: readonly { readonly raw: string }[]): void {
  for (const { raw } of words) {
    if (!raw.includes('@P}')) continue;
    for (const [, name = ''] of raw.matchAll(PROMPTED)) {
      const value = call.state.variables.get(name)?.value;
      const code = value === undefined ? null : promptCode(call.state, 'PS4', known(value));
      if (code !== null) call.runText(code, { via: name });
    }
  }
}

const PROMPTS = /^(?:PS[0-4]|R?PROMPT|RPS1)$/;

/**
 * What a shell, or a program that it starts, runs by itself because a variable says so: all of it, or what is substituted in it. Null where that is
 * nothing, or not known.
 */
export function promptCode({ variables }: State, name: string, value: string | null): string | null {
  if (value === null) return null;
  // Of a list, every item is a command.
  if (name === 'PROMPT_COMMAND') return variables.get(name)?.list?.join('\n') ?? value;
  if (/\s/.test(value.trim()) && variablesIn('program-variables').some((one) => isLike(name, one)))
    return value.replace(/^[\s|-]+/, '');
  if (!PROMPTS.test(name) || !/[`$]/.test(value)) return null;
  // A document is substituted in like a prompt is. What is longer than a text stands nowhere in it.
  const end = 'E'.repeat(value.length + 1);
  return `: <<${end}\n${value}\n${end}`;
}
