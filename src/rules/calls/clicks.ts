import { anyWordFor } from '../../knowledge/load.ts';
import { once } from '../../platform/bounded.ts';
import type { Text } from './texts.ts';

const CLICKS = /(?:^|_)(?:click|tap|press|submit|act|check)(?:_|$)/;
/** How a tool describes to people what it clicks on. */
const LABEL_KEY = /^(?:element|label|name|text|description|target|instruction|action|selector)$/i;
/** Money leaves an account. Buying something is what every shop is tested with. */
const PAYS =
  /\b(?:transfer|wire|withdraw|send|pay\s?out)\b[^\n]{0,40}(?:[€$£]\s?\d|\b\d[\d.,]*\s?(?:eur|usd|gbp|chf|btc|eth|usdc?)\b|\b(?:money|funds|balance)\b)/i;
const ends = once(
  () =>
    new RegExp(
      `\\b(?:${anyWordFor('click')}|transfer|make public|refund|pay|buy|purchase|publish|merge|deploy)\\b`,
      'i',
    ),
);
/** Pages where things are that people use for real, by what they are called. */
const real = once(
  () =>
    new RegExp(
      `\\b(?:${anyWordFor('production-page')}|bank(?:ing)?|paypal|github|gitlab|aws|azure|gcp|google cloud|cloudflare|vercel|netlify|heroku|stripe|app store|play console|registrar|billing)\\b`,
      'i',
    ),
);
/** Buttons behind which is the last question. */
const LAST_QUESTION =
  /i understand the consequences|\bdelete (?:this|the) (?:repository|organi[sz]ation|account|workspace|project)\b[^\n]{0,40}\b(?:permanently|forever|github|gitlab)|cannot be undone/i;

/** What a click comes to, as far as what it is called tells. */
export function clickedOn(verb: string, texts: readonly Text[]): 'money' | 'destructive' | null {
  if (!CLICKS.test(verb)) return null;
  const labels = texts.filter(({ key, text }) => LABEL_KEY.test(key) && text.length < LONGEST);
  if (labels.some(({ text }) => PAYS.test(text) && !here().test(text))) return 'money';
  const isLast = labels.some(
    ({ text }) => LAST_QUESTION.test(text) || (ends().test(text) && real().test(text) && !here().test(text)),
  );
  return isLast ? 'destructive' : null;
}

const LONGEST = 500;
const here = once(
  () => new RegExp(`\\blocalhost\\b|127\\.0\\.0\\.1|\\b${anyWordFor('passing-page')}\\b`, 'i'),
);
