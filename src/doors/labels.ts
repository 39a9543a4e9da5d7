import { anyWordFor, countsAs } from '../knowledge/load.ts';
import type { Use } from '../knowledge/vocabulary.ts';
import { once } from '../platform/bounded.ts';
import { type How, hasWord } from './phrase.ts';
import { singular, wordsOf } from './text-words.ts';

/** Leads back, or only shows something. `Cancel subscription` does not: what follows is what ends. */
const LEADS_BACK =
  /^\W*(?:no|not now|keep|never ?mind|undo|go back|back|don'?t)\b|^\W*(?:cancel|close|dismiss|abort|discard)\W*(?:$|(?:button|link|icon|x|in|on|of|dialog|modal|without|changes?|edit\w*|and|this dialog)\b|[(,|'"])/i;
const ONLY_SHOWS =
  /^\W*(?:open|expand|collapse|view|show|hide|see|read|search|sort|filter|copy|preview|learn|about|more|next|previous|download|export|scroll|focus)\b|\b(?:docs?|documentation|tooltip|article|guide|tutorial|tab|column|heading|breadcrumb|checkbox for row|learn more)\b/i;
/** What a label says of itself, and not of what it does: `Button 'Delete project'`. */
const ABOUT_ITSELF =
  /^(?:\W*(?:please|click(?:s|ing)?|tap|press|hit|select|choose|check|the|a|on|yes|ok|sure|button|btn|link|icon|confirm|submit|finally|really|i understand|i am sure|and|to|labell?ed|named|saying|text|role|js|id|class|data|testid|test|aria|label|input|type|name|value|span|div|form|action|modal|dialog|menuitem|option|red|primary|danger|danger-zone|want to|item|menu)\b)+\W*/i;

/** There is no way back from it. */
const NO_WAY_BACK =
  /i understand the consequences|\b(?:permanent(?:ly)?|irreversibl[ey]|forever|cannot be undone|can'?t be undone)\b/i;
/** What is deleted like this is gone, and was somebody's. */
const TAKES = once(() => new RegExp(`\\b(?:${anyWordFor('click')}|roll|clear|empty|reset)\\b`, 'i'));

const SUM =
  /(?:[€$£]|\b(?:eur|usd|gbp|chf)\s?)\s?(\d[\d.,]*)|\b(\d[\d.,]*)\s?(?:€|eur\b|usd\b|gbp\b|chf\b)|\b\d[\d.,]*\s?(?:btc|eth|usdc?|usdt|sol)\b/i;
/** Money leaves an account; what a shop is tried out with costs less. */
const PAYS =
  /\b(?:pay|pays|buy|purchase|checkout|check out|order|subscribe|upgrade|renew|donate|charge|invoice|bid|invest|top up|refund|payout|pay out|withdraw|transfer|wire|send|approve|release|issue)\b/i;
const ALWAYS_PAYS =
  /\b(?:transfer|wire|withdraw|send|pay\s?out)\b[^\n]{0,40}(?:[€$£]\s?\d|\b\d[\d.,]*\s?(?:eur|usd|gbp|chf|btc|eth|usdc?)\b|\b(?:money|funds|balance|payouts?|payments?)\b)|\b(?:wire transfer|bank transfer|confirm (?:transfer|withdrawal|payout|refund)|issue (?:a )?(?:full )?refund|refund (?:payment|order|charge|customer|\d|[€$£])|run payroll|release (?:the )?(?:funds|payment|escrow)|(?:accept and )?sign (?:the |this )?(?:contract|agreement|lease|document)|approve (?:all )?(?:payments?|payouts?|payroll|invoices?|transaction)|sign (?:the )?transaction|confirm transaction|confirm swap|swap tokens|send payment)\b/i;
const BUYS =
  /\b(?:place (?:your |the |my |an )?order|buy (?:it )?now|pay now|confirm (?:and pay|purchase|payment|order|booking|subscription)|complete (?:purchase|payment|order|checkout|booking)|purchase (?:plan|domain|credits|license|now)|start (?:paid )?subscription|upgrade (?:to|plan|now)|submit (?:payment|order)|book (?:and pay|now))\b/i;
/** A shop's own test orders are small. */
const SMALL_SUM = 100;

const SENDS_TO_MANY =
  /\b(?:send|publish|post|mail|e-?mail|message|notify|invite)\b[^\n]{0,60}\b(?:\d[\d,.]{2,12}\s(?:\w+\s)?(?:subscribers|recipients|customers|users|members|contacts|people)|all (?:\w+\s)?(?:subscribers|recipients|customers|users|members|contacts|employees|staff|followers|leads)|everyone|everybody|entire (?:list|company|team)|whole (?:list|company|team))\b|\b(?:send|launch|schedule|start|confirm) (?:the |this )?(?:email |mail |sms |marketing )?(?:campaign|newsletter|broadcast|blast|announcement)\b/i;

const PUBLISHES =
  /\b(?:merge (?:pull|merge) request|confirm (?:squash and |rebase and )?merge|squash and merge|rebase and merge|publish (?:to|release|package|app|version|site|website|new version|theme|extension)|(?:deploy|promote|release|push|roll ?out|ship)\b[^\n]{0,40}\b(?:prod\w*|live|everyone|100\s?%|app store|public|all users)|submit (?:\w+ )?for review|publish to)\b/i;

const OPENS =
  /\b(?:make|change|set|switch)\b[^\n]{0,60}\b(?:public|publicly|visible to everyone)\b|\banyone (?:with|who has) the link\b|\banyone can\b|\b(?:allow|enable) (?:public|anonymous|unauthenticated) access\b|\bpublic access\b[^\n]{0,20}\bon\b|\b(?:allow|permit) (?:force pushes|deletions|all (?:traffic|origins|ip|inbound))|\ballow all\b/i;
const GIVES =
  /\b(?:make|promote|grant|give|add|invite|assign|set|change|transfer)\b[^\n]{0,60}\b(?:owner(?:ship)?|admin(?:s|istrator)?|super ?user|super ?admin|full access|full control|root)\b|\bauthori[sz]e\b[^\n]{0,40}\b(?:app|application|access|oauth|third|client|github)\b|\bgrant (?:access|permissions?|consent)\b|\btransfer\b[^\n]{0,20}\b(?:ownership|repository|domain|project|organization|workspace|account)\b/i;
const TURNS_OFF =
  /\b(?:turn(?:ing)?[ -]off|switch(?:ing)?[ -]off|disable|deactivate|remove|delete|uncheck|untick|bypass|skip|pause|suspend|toggle off|opt out of|unenforce|stop enforcing|unprotect|dismiss|override|merge without waiting)\b/i;
const GUARD =
  /\b(?:2-?fa|mfa|two[- ]?(?:factor|step)|multi[- ]?factor|passkey|sso|single sign|branch protection|protection rules?|rulesets?|status checks?|required (?:reviews?|approvals?|checks?)|requirements|require (?:\w+ ){0,4}(?:reviews?|approvals?|checks?|signed|pull requests?|sign-?in|login|auth\w*|password|mfa|2fa|ssl|https|encryption)|deletion protection|termination protection|firewall|waf|ip allow ?list|encryption|antivirus|secret scanning|push protection|code scanning|vulnerability|malware|audit log\w*|logging|cloudtrail|guardduty|security|defender|password policy|captcha|bot protection|ddos|rate limit\w*|backups?|point[- ]in[- ]time|versioning|object lock|retention|row level security|rls|ssl|tls|https|access control|email verification|fraud|monitoring|alerts?|block (?:all )?public access)\b/i;
const CHANGES_KEY =
  /\b(?:roll|rotate|regenerate|revoke|reset|invalidate|recreate|renew)\b[^\n]{0,60}\b(?:api|secret|access|signing|deploy|live|private|encryption|service|ssh|webhook|recovery|master|client|publishable|root)?[ _-]?(?:keys?|secrets?|tokens?|credentials?|certificates?|codes|all sessions)\b|\breset\b[^\n]{0,30}\b(?:root|admin|master|database|db|owner|user)['’s]*\b[^\n]{0,20}\bpassword\b/i;

/** Whether a button leads back, or only shows something. */
export function isIdle(label: string): boolean {
  return LEADS_BACK.test(label) || ONLY_SHOWS.test(label);
}

/** What a button comes to on a page of which nothing is known, or which is real. */
export function labelDeed(label: string): How | null {
  const text = label.replace(/[_#.=[\]\-:>]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2');
  if (ALWAYS_PAYS.test(text) || BUYS.test(text) || (PAYS.test(text) && isLargeSum(label))) return 'money';
  if (SENDS_TO_MANY.test(text)) return 'message';
  if (isUnguarding(text, label) || OPENS.test(text) || GIVES.test(text) || CHANGES_KEY.test(text))
    return 'access';
  if (PUBLISHES.test(text)) return 'release';
  if (RESTS.test(text)) return 'destructive';
  return NO_WAY_BACK.test(label) && TAKES().test(text) ? 'destructive' : endsSomething(text);
}

/** Others cannot work with it for a while, or find it as it was when it was bought. */
const RESTS =
  /\bfactory reset\b|\b(?:reboot|restart|power[ -]?off|shut ?down|force[ -]stop|wipe|erase)\b[^\n]{0,30}\b(?:server|instance|droplet|vm|device|node|machine|cluster|database|production|host|disk)\b|\bleave\b[^\n]{0,20}\b(?:organi[sz]ation|org|team|workspace)\b|\bempty (?:the )?(?:trash|bucket|bin)\b/i;

function isUnguarding(text: string, label: string): boolean {
  return TURNS_OFF.test(text) && (GUARD.test(text) || GUARD.test(label)) && !/\bnotification/i.test(text);
}

function isLargeSum(label: string): boolean {
  const [found, before = '', behind = ''] = SUM.exec(label) ?? [];
  if (found === undefined) return false;
  const digits = (before || behind).replace(/[.,](?=\d{3}\b)/g, '').replace(',', '.');
  return digits === '' || Number.parseFloat(digits) >= SMALL_SUM;
}

/** Words behind which it is said where something is, and not what. */
const WHERE = /^(?:from|in|on|of|for|with|at|by|to|into|and|or|because|after|before|using)$/;

/** `Delete project x from y` ends the project; `Remove item` is nobody's loss. */
function endsSomething(text: string): How | null {
  const words = wordsOf(text.replace(ABOUT_ITSELF, '').replace(/[^\w]+/g, ' ')).slice(0, MOST_WORDS);
  for (const [at, verb] of words.entries()) {
    const strength = strengthOf(verb);
    if (strength === null) continue;
    const behind = words.slice(at + 1);
    const end = behind.findIndex((word) => WHERE.test(word));
    const object = (end < 0 ? behind : behind.slice(0, end)).filter(
      (word) =>
        !/^(?:button|link|icon|btn|confirm|confirmed|form|submit|now|the|this|my|your|modal|dialog)$/.test(
          word,
        ),
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

/** `Clear history` and `Reset data` are about what a page shows. */
const SHOWN = /^(?:history|logs?|data|sessions?|access|records|trash|topics?|everything)$/;

function isLoss(object: readonly string[], strength: Strength): boolean {
  const counts = (use: Use, word: string) => countsAs(use, word) || countsAs(use, singular(word));
  const last = object.at(-1) ?? '';
  if (counts('noun-small', object[0] ?? '') || counts('noun-small', last)) return false;
  if (object.some((word) => counts('noun-page', word) && (strength === 'surely' || !SHOWN.test(word))))
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
