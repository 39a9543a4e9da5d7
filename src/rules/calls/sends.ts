import { IN_A_PAGE, type Text } from '../../doors/text-words.ts';
import type { ToolCall } from '../../model/tools.ts';
import { isOnOwnNetwork } from '../hosts/nearby.ts';

/** Tools that pass their arguments on to others; lookups don't. */
const PASSES_ON =
  /send|post|create|publish|upload|comment|reply|message|mail|share|push|put|submit|request|fetch|write|append|update|edit|add_|navigate|goto|visit|open_?(?:url|page|tab)/i;

export function passesOn({ kind, mcp, nativeName }: ToolCall): boolean {
  if (kind === 'network') return true;
  if (kind === 'other') return FETCHES.test(nativeName);
  const name = mcp?.tool ?? nativeName;
  return kind === 'mcp' && (PASSES_ON.test(name) || isTyped({ mcp, nativeName }));
}

/** The argument is typed into a page. */
export function isTyped({ mcp, nativeName }: Pick<ToolCall, 'mcp' | 'nativeName'>): boolean {
  const name = mcp?.tool ?? nativeName;
  return TYPES.test(name) && IN_A_PAGE.test(`${mcp?.server ?? ''} ${name}`);
}

/** Built-in tools that make requests. */
const FETCHES = /fetch|https?(?:_?request)?$|^web_?(?:request|hook)/i;
/** Types text into a web page. */
const TYPES = /type|fill|input|paste|form|keys/i;

const SCRIPT_KEY = /^(?:function|script|code|expression|javascript|js|pageFunction|body)$/i;
/** What a page knows about its logged-in user. */
const KNOWN_TO_PAGE =
  /\bdocument\s*(?:\.\s*cookie|\[\s*['"]cookie)|\b(?:local|session)Storage\b|\bcookies\s*\(|\bstorageState\s*\(|\bindexedDB\b|\bcookieStore\b|\bnavigator\s*\.\s*credentials\b|type=.?password|autocomplete[*^]?=.?.?cc-|card-?number/i;
/** Calls with which a page contacts a host. */
const SPEAKS =
  '(?:\\b(?:fetch|sendBeacon|open|WebSocket|EventSource|post|get|request|goto|importScripts|replace|assign)\\s*\\(|\\b(?:src|href|action|location)\\s*=)';
/** Includes the host; a URL without scheme uses the page's. */
const SENT_TO = new RegExp(`${SPEAKS}[^;\\n]{0,80}?(?:(?:https?|wss?):|['"\`])//([^/'"\`?#\\s:]+)`, 'gi');
/** Sends to a computed address, which hides it from readers. */
const SENT_TO_HIDDEN = new RegExp(
  `${SPEAKS}\\s*(?:window\\.)?(?:atob|String\\.fromCharCode|unescape|decodeURIComponent)\\s*\\(|${SPEAKS}\\s*(?:\\[[^\\]]{0,200}\\]\\s*\\.\\s*(?:map|join|reverse)|['"\`](?:h|ht|htt|https?:?/?)['"\`]\\s*\\+)`,
  'i',
);
/** A variable for the address, and the host that it stands for. */
const SENT_TO_NAME = new RegExp(`${SPEAKS}\\s*([A-Za-z_$][\\w$]{0,40})\\b(?!\\s*\\()`, 'gi');
const NAMED_HOST = /\b([A-Za-z_$][\w$]{0,40})\s{0,9}=\s{0,9}['"`](?:(?:https?|wss?):)?\/\/([^/'"`?#\s:]+)/gi;
/** Headers identify the client to the host. */
const HEADERS = /\bheaders\s{0,9}:\s{0,9}\{[^}]{0,500}\}/gi;

/** True for page code that sends user data to a host it names. */
export function sendsFromPage(tool: ToolCall, verb: string, texts: readonly Text[]): boolean {
  if (tool.kind !== 'mcp' || !IN_A_PAGE.test(`${tool.mcp?.server ?? ''} ${verb}`)) return false;
  return texts.some(({ key, text }) => {
    if (!SCRIPT_KEY.test(key) && !/^\s*javascript:/i.test(text)) return false;
    const code = text.slice(0, LONGEST).replace(HEADERS, '');
    return KNOWN_TO_PAGE.test(code) && speaksToOthers(code);
  });
}

function speaksToOthers(code: string): boolean {
  if (SENT_TO_HIDDEN.test(code)) return true;
  if ([...code.matchAll(SENT_TO)].some(([, host = '']) => !isOnOwnNetwork(host))) return true;
  const hosts = new Map([...code.matchAll(NAMED_HOST)].map(([, name = '', host = '']) => [name, host]));
  return [...code.matchAll(SENT_TO_NAME)].some(([, name = '']) => !isOnOwnNetwork(hosts.get(name) ?? 'here'));
}

const LONGEST = 16 * 1024;
const SUBSTITUTION = /\$\(([^()]{1,500})\)|`([^`]{1,500})`/g;

/** The command line equivalent to sending an argument with a shell substitution. */
export function substitutedIn(tool: ToolCall, texts: readonly Text[]): readonly string[] {
  if (!passesOn(tool)) return [];
  return texts.flatMap(({ text }) => {
    // In a sentence it is only mentioned.
    if (text.length > 2000 || /\s/.test(text.trim().replace(SUBSTITUTION, ''))) return [];
    return [...text.matchAll(SUBSTITUTION)].map(
      ([, inner, old = '']) => `curl --data "$(${inner ?? old})" https://host.invalid`,
    );
  });
}
