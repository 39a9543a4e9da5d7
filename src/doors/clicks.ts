import { anyServiceBy, anyWordFor, countsAs } from '../knowledge/load.ts';
import type { Use } from '../knowledge/vocabulary.ts';
import { once } from '../platform/bounded.ts';
import { letsAllIn } from './access.ts';
import { type How, hasWord } from './phrase.ts';
import { requestDeed } from './request.ts';
import { isHostForTrial } from './trial.ts';
import { type Text, wordsOf } from './words.ts';

const CLICKS = /(?:^|_)(?:click|tap|press|submit|act|check|type|fill|dialog|select)(?:_|$)/;
/** How a tool describes to people what it clicks on. */
const LABEL_KEY =
  /^(?:element|label|name|text|description|target|instruction|action|selector|prompt_?text|value)$/i;
/** Money leaves an account. Buying something is what every shop is tested with. */
const PAYS =
  /\b(?:transfer|wire|withdraw|send|pay\s?out)\b[^\n]{0,40}(?:[€$£]\s?\d|\b\d[\d.,]*\s?(?:eur|usd|gbp|chf|btc|eth|usdc?)\b|\b(?:money|funds|balance)\b)/i;
/** A message to more people than anyone knows. */
const SENDS_TO_MANY =
  /\b(?:send|publish|post|mail)\b[^\n]{0,60}\b\d[\d,.]{2,12}\s(?:subscribers|recipients|customers|users|members|contacts|people)\b/i;
const ends = once(
  () =>
    new RegExp(
      `\\b(?:${anyWordFor('click')}|transfer|make\\b.{0,40}\\bpublic|refund|pay|buy|purchase|publish|merge|deploy)\\b`,
      'i',
    ),
);
/** Pages where things are that people use for real, by what they are called. */
const real = once(
  () =>
    new RegExp(
      `\\b(?:${anyWordFor('production-page')}|${anyServiceBy('pages')}|\\w+ console|danger zone)\\b`,
      'i',
    ),
);
const HOST = /\b(?:[a-z\d-]{1,60}\.){1,4}(?:com|net|org|io|app|cloud|co|dev|de|eu)\b/gi;
/** Buttons behind which is the last question. */
const LAST_QUESTION =
  /i understand the consequences|\bdelete (?:this|the) (?:repository|organi[sz]ation|account|workspace|project)\b[^\n]{0,40}\b(?:permanently|forever|github|gitlab)|cannot be undone/i;

/** What a click comes to, as far as what it is called tells, or the code that makes it. */
export function clickedOn(verb: string, texts: readonly Text[]): How | null {
  const scripted = texts.filter(({ key }) => SCRIPT_KEY.test(key)).map(({ text }) => text);
  if (!CLICKS.test(verb) && scripted.length === 0) return null;
  const labels = [
    ...texts.flatMap(({ key, text }) => (LABEL_KEY.test(key) && text.length < LONGEST ? [text] : [])),
    ...scripted.flatMap(labelsIn),
  ];
  // What is typed may say where, and what is clicked what.
  const all = labels.join(' · ').slice(0, LONGEST);
  const isReal = isOnRealPage(all);
  if (texts.some(({ text }) => letsAllIn(text)) && !here().test(all)) return 'access';
  for (const label of labels) {
    const how = deedOfLabel(label, isReal);
    if (how !== null) return how;
  }
  return scripted.some((code) => requestsRemoval(code) || labelsIn(code).some(removesBig))
    ? 'destructive'
    : null;
}

function deedOfLabel(label: string, isReal: boolean): How | null {
  if (here().test(label)) return null;
  if (PAYS.test(label)) return 'money';
  if (SENDS_TO_MANY.test(label)) return 'message';
  if (LAST_QUESTION.test(label)) return 'destructive';
  const words = wordsOf(label);
  const isAbout = (use: Use) => hasWord(use, words);
  if (countsAs('changes', words[0] ?? '') && isAbout('noun-guard') && (isReal || isAbout('noun-big')))
    return 'access';
  return isReal && ends().test(label) ? 'destructive' : null;
}

/** A person sees what a click is about; code that clicks only says so. */
function removesBig(label: string): boolean {
  const [first = '', ...rest] = wordsOf(label);
  return countsAs('tool', first) && hasWord('noun-big', rest) && !here().test(label);
}

function isOnRealPage(text: string): boolean {
  if (here().test(text)) return false;
  return real().test(text) || [...text.matchAll(HOST)].some(([host]) => !isHostForTrial(host));
}

const LONGEST = 500;
const here = once(
  () => new RegExp(`\\blocalhost\\b|127\\.0\\.0\\.1|\\b${anyWordFor('passing-page')}\\b`, 'i'),
);

const SCRIPT_KEY = /^(?:function|script|code|expression|javascript|js|pageFunction)$/i;
const CLICKED = /\.(?:click|submit|check|press|dispatchEvent)\s*\(/;
const STRING = /(['"`])((?:(?!\1)[^\\\n]|\\.){1,200})\1/g;
const LONGEST_CODE = 16 * 1024;

/** What code for a page clicks on is among its texts. */
function labelsIn(code: string): readonly string[] {
  const read = code.slice(0, LONGEST_CODE);
  return CLICKED.test(read) ? [...read.matchAll(STRING)].map(([, , text = '']) => text) : [];
}

const FETCHES = /\bfetch\(\s*(['"`])([^'"`\n]{1,500})\1\s*,\s*\{([^;]{0,500})/g;
const METHOD = /\bmethod['"]?\s*:\s*['"`](\w{1,10})/i;

/** A page may ask for more than it shows. */
function requestsRemoval(code: string): boolean {
  return [...code.slice(0, LONGEST_CODE).matchAll(FETCHES)].some(([, , url = '', options = '']) => {
    const method = METHOD.exec(options)?.[1] ?? 'GET';
    const deed = requestDeed({ method, url, body: '' });
    return deed?.how === 'destructive' && isOnRealPage(url);
  });
}
