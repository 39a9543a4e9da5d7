import { BENIGN_FORMS } from './benign.ts';
import { BENIGN_PLACES } from './benign-places.ts';
import type { Planted } from './planted.ts';
import { PLANTED_COMMANDS } from './planted-commands.ts';
import { PLANTED_FORMS } from './planted-forms.ts';
import { PLANTED_NAMES } from './planted-names.ts';
import { BENIGN_PHRASES, PLANTED_PHRASES } from './planted-phrases.ts';
import { PLANTED_PLACES } from './planted-places.ts';
import { PLANTED_IN_TERMINALS } from './planted-terminals.ts';

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
