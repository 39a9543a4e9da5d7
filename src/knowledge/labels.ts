import * as v from 'valibot';
import { parse } from 'yaml';

const KINDS = [
  'pays-always',
  'buys',
  'pays-sum',
  'sends-to-many',
  'publishes',
  'opens',
  'gives',
  'turns-off',
  'guards',
  'changes-key',
  'rests',
  'no-way-back',
  'shows-first',
  'shows',
  'about-itself',
  'no-object',
  'where',
  'shown',
] as const;

/** What a phrase of a button may come to, as `labels.yaml` says. */
export type LabelKind = (typeof KINDS)[number];

/** The phrases of each kind, as a part of a pattern. */
export type Labels = Readonly<Record<LabelKind, string>>;

const WORD = String.raw`[a-z\d'_]+[*~]?`;
const CHOICE = String.raw`${WORD}(?:\/${WORD})*`;
const OPTIONAL = String.raw`\((?:any\d?|${CHOICE})\)`;
const GAP = String.raw`\.\.\d\d`;
const PHRASE = new RegExp(`^(?:${OPTIONAL} )*(?:${CHOICE}|#)(?: (?:${CHOICE}|${OPTIONAL}|${GAP}|#))*$`);

const phrases = v.pipe(
  v.array(v.pipe(v.string(), v.regex(PHRASE, 'no phrase'))),
  v.minLength(1, 'a list without phrases'),
  v.transform((all) => `(?:${all.map(patternOf).join('|')})`),
);
const file = v.strictObject(v.entriesFromList(KINDS, phrases));

/** Reads `labels.yaml`, when Hookline is built. */
export function parseLabels(yaml: string): Labels {
  const parsed = v.safeParse(file, parse(yaml));
  if (parsed.success) return parsed.output;
  const [{ message, path, input }] = parsed.issues;
  const at = (path ?? []).map(({ key }) => key).join('.');
  throw new Error(`labels.yaml, ${at}: ${message}: ${String(input)}`);
}

function patternOf(phrase: string): string {
  return phrase
    .split(' ')
    .map(partOf)
    .join('')
    .replace(/ ?<gap (\d+)>/g, String.raw`\b[^\n]{0,$1}\b`)
    .trimEnd();
}

/** With the blank behind it, but for one that may be missing. */
function partOf(token: string): string {
  const [, gap] = /^\.\.(\d+)$/.exec(token) ?? [];
  if (gap !== undefined) return `<gap ${gap}>`;
  if (token === '#') return String.raw`\d[\d,.]{2,12} `;
  const [, optional] = /^\((.*)\)$/.exec(token) ?? [];
  if (optional === undefined) return `${choiceOf(token)} `;
  const [, most] = /^any(\d?)$/.exec(optional) ?? [];
  return most === undefined ? `(?:${choiceOf(optional)} )?` : String.raw`(?:\w+ ){0,${most || '1'}}`;
}

function choiceOf(token: string): string {
  const words = token
    .split('/')
    .map((word) => word.replaceAll('_', ' ').replace('*', String.raw`\w*`).replace('~', 's?'));
  return words.length === 1 ? words.join('') : `(?:${words.join('|')})`;
}
