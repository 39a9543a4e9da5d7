import type { LabelKind } from '../knowledge/labels.ts';
import { anyLabel, anyWordFor, countsAs } from '../knowledge/load.ts';
import type { Use } from '../knowledge/vocabulary.ts';
import { once, remember } from '../platform/bounded.ts';
import { type How, hasWord } from './phrase.ts';
import { singular, wordsOf } from './text-words.ts';

/** Goes back, or only shows something. `Cancel subscription` does not: the word after it is what ends. */
const LEADS_BACK =
  /^\W*(?:no|not now|keep|never ?mind|undo|go back|back|don'?t)\b|^\W*(?:cancel|close|dismiss|abort|discard)\W*(?:$|(?:button|link|icon|x|in|on|of|dialog|modal|without|changes?|edit\w*|and|this dialog)\b|[(,|'"])/i;

/** The phrases of a kind, wherever they stand in a label. */
const says = remember((kind: LabelKind) => new RegExp(`\\b${anyLabel(kind)}\\b`, 'i'));
const onlyShows = once(() => new RegExp(`^\\W*${anyLabel('shows-first')}\\b|${says('shows').source}`, 'i'));
const aboutItself = once(() => new RegExp(`^(?:\\W*${anyLabel('about-itself')}\\b)+\\W*`, 'i'));
/** One word that is all of a phrase. */
const isWord = remember((kind: LabelKind) => new RegExp(`^${anyLabel(kind)}$`));
/** Labels that permanently delete something. */
const TAKES = once(() => new RegExp(`\\b(?:${anyWordFor('click')}|roll|clear|empty|reset)\\b`, 'i'));

const SUM =
  /(?:[€$£]|\b(?:eur|usd|gbp|chf)\s?)\s?(\d[\d.,]*)|\b(\d[\d.,]*)\s?(?:€|eur\b|usd\b|gbp\b|chf\b)|\b\d[\d.,]*\s?(?:btc|eth|usdc?|usdt|sol)\b/i;
/** Money leaves an account, however much it is. */
const MOVES_SUM =
  /\b(?:transfer|wire|withdraw|send|pay\s?out)\b[^\n]{0,40}(?:[€$£]\s?\d|\b\d[\d.,]*\s?(?:eur|usd|gbp|chf|btc|eth|usdc?)\b)|\brefund (?:\d|[€$£])\b/i;
/** A shop's own test orders are small. */
const SMALL_SUM = 100;

/** True if a button goes back, or only shows something. */
export function isIdle(label: string): boolean {
  return LEADS_BACK.test(label) || onlyShows().test(label);
}

/** The effect of a button on a production page, or an unknown one. */
export function labelDeed(label: string): How | null {
  const text = label.replace(/[_#.=[\]\-:>]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2');
  const has = (...kinds: readonly LabelKind[]) => kinds.some((kind) => says(kind).test(text));
  if (MOVES_SUM.test(text) || has('pays-always', 'buys') || (has('pays-sum') && isLargeSum(label)))
    return 'money';
  if (has('sends-to-many')) return 'message';
  if (isUnguarding(text, label) || has('opens', 'gives', 'changes-key')) return 'access';
  if (has('publishes')) return 'release';
  if (has('rests')) return 'destructive';
  return says('no-way-back').test(label) && TAKES().test(text) ? 'destructive' : endsSomething(text);
}

function isUnguarding(text: string, label: string): boolean {
  const isGuard = says('guards').test(text) || says('guards').test(label);
  return isGuard && says('turns-off').test(text) && !/\bnotification/i.test(text);
}

function isLargeSum(label: string): boolean {
  const [found, before = '', behind = ''] = SUM.exec(label) ?? [];
  if (found === undefined) return false;
  const digits = (before || behind).replace(/[.,](?=\d{3}\b)/g, '').replace(',', '.');
  return digits === '' || Number.parseFloat(digits) >= SMALL_SUM;
}

/** `Delete project x from y` ends the project; `Remove item` is not a loss. */
function endsSomething(text: string): How | null {
  const words = wordsOf(text.replace(aboutItself(), '').replace(/[^\w]+/g, ' ')).slice(0, MOST_WORDS);
  for (const [at, verb] of words.entries()) {
    const strength = strengthOf(verb);
    if (strength === null) continue;
    const behind = words.slice(at + 1);
    const end = behind.findIndex((word) => isWord('where').test(word));
    const object = (end < 0 ? behind : behind.slice(0, end)).filter(
      (word) => !isWord('no-object').test(word),
    );
    if (isLoss(object, strength)) return 'destructive';
    // Only the first verb of a sentence is the button's own.
    if (at > 3) return null;
  }
  return null;
}

const MOST_WORDS = 30;

type Strength = 'surely' | 'loosely';

function strengthOf(verb: string): Strength | null {
  if (countsAs('click', verb)) return 'surely';
  return countsAs('tool-live', verb) || countsAs('tool-big', verb) ? 'loosely' : null;
}

function isLoss(object: readonly string[], strength: Strength): boolean {
  const counts = (use: Use, word: string) => countsAs(use, word) || countsAs(use, singular(word));
  const last = object.at(-1) ?? '';
  if (counts('noun-small', object[0] ?? '') || counts('noun-small', last)) return false;
  if (
    object.some((word) => counts('noun-page', word) && (strength === 'surely' || !isWord('shown').test(word)))
  )
    return true;
  const number = object.find((word) => /^\d+$/.test(word));
  return (
    strength === 'surely' &&
    object.length > 0 &&
    (hasWord('noun-many', object) || Number(number ?? 0) >= MANY)
  );
}

/** More than anyone deletes one by one. */
const MANY = 50;
