import type { State } from './state.ts';

/**
 * What a shell runs by itself because a variable says so: all of it, or what is substituted in it. Null where that is
 * nothing, or not known.
 */
export function promptCode({ variables }: State, name: string, value: string | null): string | null {
  if (value === null) return null;
  // Of a list, every item is a command.
  if (name === 'PROMPT_COMMAND') return variables.get(name)?.list?.join('\n') ?? value;
  if (name !== 'PS4' || !/[`$]/.test(value)) return null;
  // A document is substituted in like a prompt is. What is longer than a text stands nowhere in it.
  const end = 'E'.repeat(value.length + 1);
  return `: <<${end}\n${value}\n${end}`;
}
