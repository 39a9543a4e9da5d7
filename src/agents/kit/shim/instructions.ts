import { isObject } from '../../../model/json.ts';
import type { NativeAnswer } from '../../../model/native.ts';

/**
 * What a shim is to do in its client: an agent's `encode` writes it, the host carries it out. A host knows where its client
 * has a place for each; `encode` names none that it has no place for.
 */
export interface Instructions {
  /** It may not happen; the model, or the user, reads why. */
  readonly refuse?: string;
  /** A person decides, in a dialog of the client's; it is denied where no dialog is possible. */
  readonly ask?: string;
  /** Arguments to change; the others stay. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** More for the model to read, with the prompt or the result. */
  readonly append?: string;
  /** What the model reads in the place of the result. */
  readonly replace?: string;
  /** The answer to the client's own question for permission, now or when it comes. */
  readonly reply?: Reply;
  /** The turn does not end: continue with this. */
  readonly prompt?: string;
  /** The turn ends here, and why. */
  readonly abort?: string;
  /** Variables for the commands that follow. */
  readonly env?: Readonly<Record<string, string>>;
  /** For the user at the terminal. */
  readonly toast?: string;
}

interface Reply {
  readonly answer: 'once' | 'always' | 'reject';
  readonly message?: string;
}

/** Why it may not happen; null if it may. */
export function refusalIn({ refuse, abort }: Instructions): string | null {
  return refuse ?? abort ?? null;
}

/** The parts of a result as the model is to read them; null where they stay as they are. */
export function changedParts(parts: readonly unknown[], { replace, append }: Instructions): unknown[] | null {
  const texts = [replace, append].filter((text) => text !== undefined);
  if (texts.length === 0) return null;
  return [...(replace === undefined ? parts : []), ...texts.map((text) => ({ type: 'text', text }))];
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** What each instruction has to be: one that is not must not be taken for none. */
const FORMS: { readonly [K in keyof Instructions]-?: (value: unknown) => boolean } = {
  refuse: isText,
  ask: isText,
  args: isObject,
  append: isText,
  replace: isText,
  reply: (value) =>
    isObject(value) &&
    (value.answer === 'once' || value.answer === 'always' || value.answer === 'reject') &&
    (value.message === undefined || isText(value.message)),
  prompt: isText,
  abort: isText,
  env: (value) => isObject(value) && Object.values(value).every(isText),
  toast: isText,
};

/** An answer in other words, such as those for another client, is not silence either. */
function isInstructions(value: object): value is Instructions {
  if (!isObject(value)) return false;
  const names = Object.keys(value);
  if (names.length > 0 && !names.some((name) => Object.hasOwn(FORMS, name))) return false;
  return Object.entries(FORMS).every(([name, fits]) => value[name] === undefined || fits(value[name]));
}

/** The instructions in an answer; null where it cannot be understood. Any exit code denies. */
export function instructionsIn(answer: NativeAnswer): Instructions | null {
  switch (answer.action) {
    case 'passthrough':
      return {};
    case 'block_with_stderr':
      return { refuse: answer.stderr.trim() };
    case 'json_output':
      return isInstructions(answer.stdout_json) ? answer.stdout_json : null;
  }
}
