import { BENIGN_FORMS } from './testing-benign.ts';
import { BENIGN_PLACES } from './testing-benign-places.ts';
import type { Planted } from './testing-planted.ts';
import { PLANTED_COMMANDS } from './testing-planted-commands.ts';
import { PLANTED_FORMS } from './testing-planted-forms.ts';
import { PLANTED_NAMES } from './testing-planted-names.ts';
import { BENIGN_PHRASES, PLANTED_PHRASES } from './testing-planted-phrases.ts';
import { PLANTED_PLACES } from './testing-planted-places.ts';
import { PLANTED_IN_TERMINALS } from './testing-planted-terminals.ts';

/** Made-up secrets of every kind that we can tell, in the places where they are found. */
export const PLANTED: readonly Planted[] = [
  ...PLANTED_FORMS,
  ...PLANTED_NAMES,
  ...PLANTED_COMMANDS,
  ...PLANTED_IN_TERMINALS,
  ...PLANTED_PLACES,
  ...PLANTED_PHRASES,
];

/** What looks like a secret and is none. Nothing of it may change. */
export const BENIGN: Readonly<Record<string, string>> = {
  ...BENIGN_FORMS,
  ...BENIGN_PLACES,
  ...BENIGN_PHRASES,
};
