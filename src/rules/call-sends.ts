import type { ToolCall } from '../model/tools.ts';
import { IN_A_PAGE, type Text } from './call-texts.ts';
import { isOnOwnNetwork } from './nearby-hosts.ts';

/** Tools that pass on what they are given; what is only looked up goes nowhere. */
const PASSES_ON =
  /send|post|create|publish|upload|comment|reply|message|mail|share|push|put|submit|request|fetch|write|append|update|edit|add_/i;

export function passesOn({ kind, mcp, nativeName }: ToolCall): boolean {
  return kind === 'network' || (kind === 'mcp' && PASSES_ON.test(mcp?.tool ?? nativeName));
}

const SCRIPT_KEY = /^(?:function|script|code|expression|javascript|js|pageFunction|body)$/i;
/** What a page knows of the one who is logged in. */
const KNOWN_TO_PAGE =
  /\bdocument\s*(?:\.\s*cookie|\[\s*['"]cookie)|\b(?:local|session)Storage\b|\bcookies\s*\(|\bstorageState\s*\(|\bindexedDB\b|type=.?password/i;
/** What makes a page speak to a host, with the host. */
const SENT_TO =
  /(?:\b(?:fetch|sendBeacon|open|WebSocket|EventSource|post|get|request|goto|importScripts)\s*\(|\b(?:src|href|action|location)\s*=)[^;\n]{0,80}?(?:https?|wss?):\/\/([^/'"`?#\s:]+)/gi;
/** What is put into a header is for the host to know who asks. */
const HEADERS = /\bheaders\s{0,9}:\s{0,9}\{[^}]{0,500}\}/gi;

/** Whether code for a page sends what the page knows of its user to a host that it names. */
export function sendsFromPage(tool: ToolCall, verb: string, texts: readonly Text[]): boolean {
  if (tool.kind !== 'mcp' || !IN_A_PAGE.test(`${tool.mcp?.server ?? ''} ${verb}`)) return false;
  return texts.some(({ key, text }) => {
    if (!SCRIPT_KEY.test(key)) return false;
    const code = text.slice(0, LONGEST).replace(HEADERS, '');
    return (
      KNOWN_TO_PAGE.test(code) && [...code.matchAll(SENT_TO)].some(([, host = '']) => !isOnOwnNetwork(host))
    );
  });
}

const LONGEST = 16 * 1024;
const SUBSTITUTION = /\$\(([^()]{1,500})\)|`([^`]{1,500})`/g;

/** What stands in the place of a value as a shell would find it, in something that is sent: the line that would send it. */
export function substitutedIn(tool: ToolCall, texts: readonly Text[]): readonly string[] {
  if (!passesOn(tool)) return [];
  return texts.flatMap(({ text }) => {
    // In a sentence it is only spoken of.
    if (text.length > 2000 || /\s/.test(text.trim().replace(SUBSTITUTION, ''))) return [];
    return [...text.matchAll(SUBSTITUTION)].map(
      ([, inner, old = '']) => `curl --data "$(${inner ?? old})" https://host.invalid`,
    );
  });
}
