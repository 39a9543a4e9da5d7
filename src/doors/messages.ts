import type { Phrase } from './phrase.ts';
import { type Text, wordSet, wordsOf } from './text-words.ts';

const SENDS = wordSet(
  'send post publish create reply schedule launch start trigger activate broadcast blast tweet share submit upload comment forward notify batch bulk make place',
);
/** Not sent yet, or to no person. */
const UNSENT = wordSet('draft drafts template templates preview test webhook');
const CAMPAIGNS = wordSet(
  'campaign campaigns newsletter newsletters broadcast blast mailing announcement marketing',
);
const STARTS = wordSet('send launch schedule start trigger publish activate broadcast blast');
const MANY = wordSet('bulk batch mass many all multiple everyone');
/** Where posts become public. */
const PUBLIC =
  /(?:^|[-_ ])(?:twitter|x|linkedin|facebook|instagram|reddit|mastodon|bluesky|bsky|youtube|tiktok|threads|hackernews|medium|producthunt)(?:[-_ ]|$)/i;
const POSTS = wordSet('post posts tweet tweets thread status story video reel article comment update reply');
const PHONES = wordSet('sms mms whatsapp call voicemail fax');
const MAIL =
  /e?mail|outlook|sendgrid|mailgun|postmark|mailchimp|mandrill|sparkpost|(?:^|[-_ ])(?:ses|smtp|resend|brevo)(?:[-_ ]|$)/i;
const CHAT = /slack|discord|teams|telegram|mattermost|zulip|rocket|chat/i;
const RECIPIENT_KEY =
  /^(?:to|cc|bcc|recipients?|to_?(?:addresses|recipients|emails?)|emails?|addresses|destination)$/i;
/** Notifies all members of a channel. */
const CALLS_ALL = /<!(?:channel|here|everyone)>|(?:^|\s)@(?:channel|everyone|here|all)\b/;
const WIDE_CHANNEL =
  /^[#@]?(?:announce\w*|[\w-]*announcements?|all-\w+|all[-_]hands|everyone|company[\w-]*|[\w-]*customers?[\w-]*|press|public)$/i;
/** An address behind which many people are. */
const LIST =
  /^(?:[\w.+-]*[.+_-])?(?:all|customers?|clients?|users?|subscribers?|members?|everyone|everybody|staff|company|employees|investors?|press|media|partners?|newsletter|announce\w*|lists?|mailing\w*)(?:[.+_-][\w.+-]*)?@|@(?:lists?|groups|news|mailing)\./i;
/** More than those who talk with each other. */
const FEW = 3;

/** True if many people or the public get a message, or a phone does. A message in a channel is none of these. */
export function reachesMany({ place: server, texts }: Phrase, named: readonly string[]): boolean {
  // Some tools put the object first: `chat_postMessage`.
  const first = named.slice(0, 2).find((word) => SENDS.has(word)) ?? '';
  const has = (among: ReadonlySet<string>) => named.some((word) => among.has(word));
  if (first === '' || has(UNSENT)) return false;
  if (has(CAMPAIGNS) && STARTS.has(first)) return true;
  if (named.includes('tweet') || (PUBLIC.test(server) && has(POSTS))) return true;
  if (has(PHONES) || (/twilio|vonage|plivo/i.test(server) && has(wordSet('message'))))
    return /^(?:send|make|place|start|create|schedule|batch|bulk)$/.test(first);
  const words = [...wordsOf(server), ...named].join(' ');
  if (MAIL.test(words)) return (has(MANY) && first !== 'create') || isToMany(texts);
  if (!CHAT.test(server)) return false;
  return texts.some(
    ({ key, text }) =>
      CALLS_ALL.test(text) || (/^(?:channel|chat)(?:_?(?:name|id))?$/i.test(key) && WIDE_CHANNEL.test(text)),
  );
}

function isToMany(texts: readonly Text[]): boolean {
  const addresses = texts.flatMap(({ key, text }) => (RECIPIENT_KEY.test(key) ? text.split(/[,;]\s*/) : []));
  // It is one of many, as far as anyone knows.
  if (addresses.some((one) => /[\ue000-\uf8ff]/.test(one))) return true;
  return addresses.length > FEW || addresses.some((one) => LIST.test(one.replace(/^.*<|>.*$/g, '').trim()));
}
