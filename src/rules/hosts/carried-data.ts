import { BoundedMap } from '../../platform/bounded.ts';
import { isOnOwnNetwork } from './nearby.ts';

/** Webhook inboxes that store every request for later reading. */
const INBOX =
  /(?:^|\.)(?:webhook\.site|requestbin\.\w+|requestcatcher\.com|requestrepo\.com|pipedream\.net|beeceptor\.com|hookbin\.com|postb\.in|webhook\.cool|typedwebhook\.tools|hookdeck\.com|oast\.\w+|oastify\.com|burpcollaborator\.net|interact\.sh|interactsh\.com|dnslog\.cn|ceye\.io|canarytokens\.com|bxss\.me|xss\.report)$/i;
const ADDRESS_OF_PERSON = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;
const CARD =
  /(?<![\d.])(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6(?:011|5\d\d)\d{12})(?![\d.])/g;
const CARD_NAME = /\b(?:card|cc|pan|ccn?um|credit)\w{0,12}\s{0,3}[=:]/i;
/** More than a test of a webhook inbox needs. */
const MUCH = 20;
const LONGEST_NAME = 40;

const remembered = new BoundedMap<string, boolean>(200);

/**
 * True if the URL itself carries data: of several people, of a card, or more than a word to a webhook inbox. Fetching
 * it sends the data.
 */
export function carriesData(url: string | null): boolean {
  if (url === null || url.length < MUCH || !/[?@&=]|[\w-]{40}/.test(url)) return false;
  let carries = remembered.get(url);
  if (carries === undefined) {
    carries = isCarried(url.slice(0, LONGEST));
    remembered.set(url, carries);
  }
  return carries;
}

const LONGEST = 16 * 1024;

function isCarried(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, pathname, search, protocol } = new URL(url);
  if (!/^(?:https?|wss?):$/.test(protocol) || isOnOwnNetwork(hostname)) return false;
  if (INBOX.test(hostname)) {
    const names = [...pathname.split('/'), ...hostname.split('.')];
    if (search.length > MUCH || names.some((name) => name.length > LONGEST_NAME)) return true;
  }
  const data = decoded(search);
  if (new Set(data.match(ADDRESS_OF_PERSON)).size > 1) return true;
  const cards = (data.match(CARD) ?? []).filter(isCard);
  return cards.length > 1 || (cards.length > 0 && CARD_NAME.test(data));
}

/** Its last digit is the checksum of the others. */
function isCard(digits: string): boolean {
  let sum = 0;
  for (const [at, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** Leaves invalid percent signs unchanged. */
export function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
