import { type Planted, within } from './planted.ts';

// Made up, most with a checksum that is wrong: a wallet of one's own may have another.
const TWELVE = 'ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic';
const FIFTEEN = `${TWELVE} velvet orbit mango`;
const EIGHTEEN =
  'gravity machine north sort system female filter attitude volume fold club stay feature office ecology stable narrow fog';
const TWENTY_FOUR =
  'hamster diagram private dutch cause delay private meat slide toddler razor book happy fancy gospel tennis maple dilemma loan word shrug inflict delay length';

const numbered = (sign: string) =>
  TWELVE.split(' ')
    .map((word, at) => `${at + 1}${sign} ${word}`)
    .join('\n');
const cells = TWELVE.split(' ')
  .map((word, at) => `| ${at + 1} | ${word} |`)
  .join('\n');

/** The words of wallets, which nothing but the words gives away. */
export const PLANTED_PHRASES: readonly Planted[] = [
  within('12 words', '', TWELVE),
  within('15 words', '', FIFTEEN),
  within('18 words', 'wallet created\n', EIGHTEEN),
  within('24 words', '', TWENTY_FOUR),
  within('words in capitals', '', TWELVE.toUpperCase()),
  within('words in a sentence', 'My seed phrase is: ', TWELVE, ', please keep it.'),
  within('echoed words', 'echo "', TWENTY_FOUR, '" > wallet.txt'),
  within('words of an option', 'wallet restore --phrase="', TWELVE, '"'),
  within('words on lines', '', TWELVE.replaceAll(' ', '\n')),
  within('words with dots and numbers', '', numbered('.')),
  within('words with brackets and numbers', 'Write this down:\n', numbered(')')),
  within('words with colons and numbers', '', numbered(':')),
  within('bullets', '- ', TWELVE.replaceAll(' ', '\n- ')),
  within('words in an array', '["', TWELVE.replaceAll(' ', '","'), '"]'),
  within('words in an array on lines', '[\n  "', TWELVE.replaceAll(' ', '",\n  "'), '"\n]'),
  within('words in a list', "words = ['", TWELVE.replaceAll(' ', "', '"), "']"),
  within('words with commas', '', TWELVE.replaceAll(' ', ', ')),
  within('words in a table', '| # | word |\n|---|---|\n', cells),
  within('words before a name of the list', '{"a":"', TWELVE, '","type":"wallet","note":"x"}'),
  within('words behind a value of the list', '[true,"', TWELVE, '",false]'),
];

const IN_ORDER =
  'abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid';

/** Words of the list that restore nothing. */
export const BENIGN_PHRASES: Readonly<Record<string, string>> = {
  'the list of words': `word list: ${IN_ORDER}\n${IN_ORDER.replaceAll(' ', '\n')}\n["${IN_ORDER.replaceAll(' ', '", "')}"]`,
  // Behind `echo`, which is a word of the list, these are one word short.
  '10 words': 'ozone drill grab fiber curtain grace pudding thank cruise elder',
  'names of styles':
    'border-image-repeat, border-image-slice, border-image-source, border-image-width, border-left, border-left-color',
  'cases of a program':
    'case 1: return 1; case 2: return 2; case 4: return 4; case 8: return 8; case 16: return 16;',
  'names with numbers':
    '"LINK1", "LINK8", "PIPE16", "PIPE17", "BEAM3", "BEAM4", "SHELL28", "MASS21", "PLANE2", "TARGET1", "SURFACE9", "FLUID29"',
  'prose of short words':
    'the old man sat upon his chair and ate soup while the dog slept near the warm fire',
};
