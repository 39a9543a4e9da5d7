import type { Planted } from './testing-planted.ts';
import { PLANTED_COMMANDS } from './testing-planted-commands.ts';
import { PLANTED_FORMS } from './testing-planted-forms.ts';
import { PLANTED_NAMES } from './testing-planted-names.ts';

/** Made-up secrets of every kind that we can tell, in the places where they are found. */
export const PLANTED: readonly Planted[] = [...PLANTED_FORMS, ...PLANTED_NAMES, ...PLANTED_COMMANDS];

export { BENIGN } from './testing-benign.ts';
