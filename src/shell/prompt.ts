import { variablesIn } from '../knowledge/load.ts';
import { isLike } from '../knowledge/wildcard.ts';
import type { Call } from './call.ts';
import type { State } from './memory/state.ts';
import { known } from './word.ts';

const PROMPTED = /\$\{([A-Za-z_]\w*)@P\}/g;

/** `${x@P}` runs substitutions in the value, like a prompt. */
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
 * Code that a shell, or a program that it starts, runs because of a variable: all of the value, or its substitutions.
 * Null if none, or if unknown.
 */
export function promptCode({ variables }: State, name: string, value: string | null): string | null {
  if (value === null) return null;
  // Every item of a list is a command.
  if (name === 'PROMPT_COMMAND') return variables.get(name)?.list?.join('\n') ?? value;
  if (/\s/.test(value.trim()) && variablesIn('program-variables').some((one) => isLike(name, one)))
    return value.replace(/^[\s|-]+/, '');
  if (!PROMPTS.test(name) || !/[`$]/.test(value)) return null;
  // A here-document is expanded like a prompt.
  const end = 'E'.repeat(value.length + 1);
  return `: <<${end}\n${value}\n${end}`;
}
