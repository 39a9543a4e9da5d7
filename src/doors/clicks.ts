import { anyServiceBy, anyWordFor, wordsFor } from '../knowledge/load.ts';
import { once } from '../platform/bounded.ts';
import { isPowerful, letsAllIn } from './access.ts';
import { isIdle, labelDeed } from './labels.ts';
import type { How } from './phrase.ts';
import { requestDeed } from './request.ts';
import { isTestHost } from './test-names.ts';
import type { Text } from './text-words.ts';

/** Where a click happens: on a test page, a production page, or an unknown one. */
export type Page = 'trial' | 'real' | 'unknown';

/** Servers and tools that click. Nothing that is there belongs to anyone else. */
export const IN_A_BROWSER: RegExp =
  /browser|playwright|puppeteer|chrome|devtools|selenium|webdriver|stagehand/i;

const CLICKS = /(?:^|_)(?:click|tap|press|submit|act|check|type|fill|dialog|select|key|input|option)(?:_|$)/;
/** Arguments in which a tool describes what it clicks. */
const LABEL_KEY =
  /^(?:element|label|name|text|description|target|instruction|action|selector|prompt_?text|values?|uid|ref|locator|xpath|css)$/i;
const ends = once(
  () =>
    new RegExp(
      `\\b(?:${anyWordFor('click')}|transfer|make\\b.{0,40}\\bpublic|refund|pay|buy|purchase|publish|merge|deploy)\\b`,
      'i',
    ),
);
/** Names of production pages. */
const real = once(
  () =>
    new RegExp(
      `\\b(?:${anyWordFor('production-page')}|${anyServiceBy('pages')}|\\w+ console|danger zone)\\b`,
      'i',
    ),
);
const HOST = /\b(?:[a-z\d-]{1,60}\.){1,4}(?:com|net|org|io|app|cloud|co|dev|de|eu)\b/gi;

/** The effect of a click, by its label or by the code that clicks. */
export function clickedOn(verb: string, texts: readonly Text[], page: Page = 'unknown'): How | null {
  const scripted = texts.filter(({ key }) => SCRIPT_KEY.test(key)).map(({ text }) => text);
  if (!CLICKS.test(verb) && scripted.length === 0) return null;
  const described = texts
    .filter(({ key, text }) => LABEL_KEY.test(key) && text.length < LONGEST)
    .map(({ key, text }) => ({ key, text: text.replace(FOR_TESTS, '') }));
  const given = described.map(({ text }) => text);
  // Typed text is not a button.
  const called = TYPES.test(verb) ? described.filter(({ key }) => !TYPED_KEY.test(key)) : described;
  const labels = [...called.map(({ text }) => text), ...scripted.flatMap(labelsIn)];
  // Typed text may name the target, and the label the action.
  const all = [...given, ...labels].join(' · ').slice(0, LONGEST);
  const isReal = isOnRealPage(all);
  if (page === 'trial' && !isReal) return null;
  if (!here().test(all)) {
    if (texts.some(({ text }) => letsAllIn(text))) return 'access';
    if (isRole(given) || isOpened(given)) return 'access';
    if (isConfirmed(verb, given)) return 'destructive';
  }
  for (const label of labels) {
    const how = deedOfLabel(label, isReal);
    if (how !== null) return how;
  }
  if (scripted.some((code) => !here().test(code) && tellsToken(code))) return 'secret';
  const isMade = [...labels, ...scripted].some((text) => !here().test(text) && leadsToRemoval(text));
  return isMade || scripted.some((code) => !here().test(code) && requestsRemoval(code))
    ? 'destructive'
    : null;
}

function deedOfLabel(label: string, isReal: boolean): How | null {
  if (here().test(label) || isIdle(label)) return null;
  return labelDeed(label) ?? (isReal && ends().test(label) ? 'destructive' : null);
}

/** By which a program that tries a page out finds a button; the page need not be one for trials. */
const FOR_TESTS = /\bdata-(?:test|cy|qa|e2e)(?:-?id)?(?=\W)/gi;

const ROLE = /\b(?:role|permissions?|access|privileges?)\b/i;

/** True if the owner role is chosen. */
function isRole(labels: readonly string[]): boolean {
  return labels.some((one) => ROLE.test(one)) && labels.some(isPowerful);
}

const VISIBILITY = /\b(?:visibility|sharing|who can|access|privacy)\b/i;
const ALL = /^(?:public|everyone|anyone(?: with the link)?|anonymous|world)$/i;

function isOpened(labels: readonly string[]): boolean {
  return labels.some((one) => VISIBILITY.test(one)) && labels.some((one) => ALL.test(one.trim()));
}

const TYPES = /(?:^|_)(?:type|fill|input|dialog|keys|form)(?:_|$)/;
const TYPED_KEY = /^(?:text|values?|input|content|keys)$/i;
/** What must be typed before something big is deleted: its name or the action. */
const confirms = once(() => {
  const verb = `\\b(?:${wordsFor('typed')
    .map((word) => word.replace(/e$/, ''))
    .join('|')})(?:e[sd]?|ed|ing|ion|al|s)?\\b`;
  const confirm = '\\bconfirm\\w*\\b';
  return new RegExp(
    `${confirm}[^\\n]{0,60}(?:${verb}|\\btransfer)|${verb}[^\\n]{0,60}${confirm}|\\btype\\b[^\\n]{0,80}\\bto (?:confirm|delete|continue|proceed)\\b|\\bconfirm (?:the )?(?:repository|repo|project|database|bucket|account|organi[sz]ation|workspace|app|instance|cluster|namespace|team|domain|server) (?:name|id)\\b`,
    'i',
  );
});
const phrase = once(
  () =>
    new RegExp(
      `^(?:(?:permanently |yes,? )?${anyWordFor('typed')}(?: (?:my|this|the|all) [\\w ]{3,40}|[ :/-][\\w./-]{3,60})?|i understand[\\w ,]{0,60}|confirm deletion)$`,
      'i',
    ),
);

function isConfirmed(verb: string, labels: readonly string[]): boolean {
  if (
    !TYPES.test(verb) ||
    labels.some((one) => /\b(?:search|find|filter|comment|message|title|note)\b/i.test(one))
  )
    return false;
  return labels.some((one) => confirms().test(one)) || labels.some((one) => phrase().test(one.trim()));
}

function isOnRealPage(text: string): boolean {
  if (here().test(text)) return false;
  return real().test(text) || [...text.matchAll(HOST)].some(([host]) => !isTestHost(host));
}

const LONGEST = 500;
const here = once(
  () => new RegExp(`\\blocalhost\\b|127\\.0\\.0\\.1|\\b${anyWordFor('passing-page')}\\b`, 'i'),
);

const SCRIPT_KEY = /^(?:function|script|code|expression|javascript|js|pageFunction)$/i;
const CLICKED = /\.(?:click|submit|check|press|dispatchEvent|requestSubmit|selectOption|fill|type)\s*\(/;
const STRING = /(['"`])((?:(?!\1)[^\\\n]|\\.){1,200})\1/g;
const LONGEST_CODE = 16 * 1024;

/** Page code contains the labels it clicks. */
function labelsIn(code: string): readonly string[] {
  const read = code.slice(0, LONGEST_CODE);
  return CLICKED.test(read) ? [...read.matchAll(STRING)].map(([, , text = '']) => text) : [];
}

/** What one logs in with, as a page keeps it. */
const TOKEN =
  /\b(?:local|session)Storage\b[^;\n]{0,40}\b(?:getItem\s*\(\s*)?["'`][^"'`\n]{0,60}(?:token|jwt|session|secret|credential|auth|api_?key)|\bJSON\.stringify\s*\(\s*\{?\s*(?:\.\.\.)?\s*(?:window\.)?(?:local|session)Storage\s*[,})]|\bObject\.(?:entries|values|assign)\s*\([^;\n]{0,20}(?:local|session)Storage\b|\bdocument\s*\.\s*cookie\b(?!\s*=[^=])|\btype=.?password[^\n]{0,40}\.value\b|\b(?:storageState|cookies)\s*\(\s*\)/i;

function tellsToken(code: string): boolean {
  return TOKEN.test(code.slice(0, LONGEST_CODE)) && !USES.test(code);
}

/** It is not told, but taken away or given to the page's own server. */
const USES = /\b(?:removeItem|clear|setItem|fetch|sendBeacon)\s*\(/;

/** A form or a link, by where it leads: `form[action="/account/delete"]`. */
const LEADS = /\b(?:form)?action[*^$]?\s{0,3}=\s{0,3}\\?["']?(\/[\w/-]{1,200})/gi;

function leadsToRemoval(text: string): boolean {
  return [...text.slice(0, LONGEST_CODE).matchAll(LEADS)].some(([, path = '']) => {
    const deed = requestDeed({ method: 'POST', url: `https://page.invalid${path}`, body: '' });
    return deed !== null && deed.how !== 'secret';
  });
}

const FETCHES = /\bfetch\(\s*(['"`])([^'"`\n]{1,500})\1\s*,\s*\{([^;]{0,500})/g;
const METHOD = /\bmethod['"]?\s*:\s*['"`](\w{1,10})/i;

/** A page may ask for more than it shows. */
function requestsRemoval(code: string): boolean {
  return [...code.slice(0, LONGEST_CODE).matchAll(FETCHES)].some(([, , url = '', options = '']) => {
    const method = METHOD.exec(options)?.[1] ?? 'GET';
    const isOwn = url.startsWith('/') && !url.startsWith('//');
    const deed = requestDeed({ method, url: isOwn ? `https://page.invalid${url}` : url, body: '' });
    return deed !== null && deed.how !== 'secret' && (isOwn || isOnRealPage(url));
  });
}
