import type { Planted } from './testing-planted.ts';
import { PLANTED_COMMANDS } from './testing-planted-commands.ts';
import { PLANTED_FORMS } from './testing-planted-forms.ts';
import { PLANTED_NAMES } from './testing-planted-names.ts';
import { PLANTED_IN_TERMINALS } from './testing-planted-terminals.ts';

/** Made-up secrets of every kind that we can tell, in the places where they are found. */
export const PLANTED: readonly Planted[] = [
  ...PLANTED_FORMS,
  ...PLANTED_NAMES,
  ...PLANTED_COMMANDS,
  ...PLANTED_IN_TERMINALS,
];

export { BENIGN } from './testing-benign.ts';
