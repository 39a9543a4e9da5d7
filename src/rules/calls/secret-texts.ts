import { anyServiceBy } from '../../knowledge/load.ts';
import type { ToolCall } from '../../model/tools.ts';
import { BoundedMap, once } from '../../platform/bounded.ts';
import { secretsIn } from '../../redact/redact.ts';
import { decoded } from '../hosts/carried-data.ts';
import { isThisMachine } from '../hosts/nearby.ts';
import { textWritten } from '../written/texts.ts';
import { isTyped, passesOn } from './sends.ts';

/** Every secret contains one of these; nearly all texts don't. */
const HINT = /-----BEGIN|[^\s"'`]{10}/;

const remembered = new BoundedMap<string, boolean>(64);

/** True if a file tool writes, or an MCP tool gets, something that is certainly a credential. */
export function givesSecret(tool: ToolCall): boolean {
  const isWritten = tool.kind === 'write';
  const text = isWritten ? textWritten(tool) : givenText(tool);
  if (text === null || !HINT.test(text)) return false;
  const key = `${isWritten}${isTyped(tool)}${text}`;
  let holds = remembered.get(key);
  if (holds === undefined) {
    const real = text.replace(EXAMPLES, '');
    // In a program, a secret-like name with a value is often not a secret.
    holds =
      secretsIn(real.replace(NAMES, ' ')).some((kind) => kind !== 'jwt') ||
      logsInElsewhere(real) ||
      (!isWritten && (namesSecret(real) || saysPassword(real))) ||
      (isTyped(tool) && AWS_SECRET.test(text));
    remembered.set(key, holds);
  }
  return holds;
}

const LONGEST = 32 * 1024;

function givenText(tool: ToolCall): string | null {
  // Addresses encode characters.
  return passesOn(tool) ? decoded(JSON.stringify(tool.input).slice(0, LONGEST)) : null;
}

/** Sample keys from manuals, which are common in code. */
const EXAMPLES =
  /\b(?:AKIA|ASIA)[A-Z0-9]{5,13}EXAMPLE\b|(?<![\w/+])[\w/+]{20,40}EXAMPLEKEY\b|\bsk_test_4eC39HqLyjWDarjtT1zdp7dc\b|\b\w{2,12}_(?:x{8,}|X{8,}|\*{4,})/g;

/** A named value counts as a secret in any form; here only the form counts. */
const NAMES =
  /\b\w{0,40}(?:token|secret|key|passw(?:or)?d|credentials?)\w{0,20}(?:\\?["'])?\s{0,3}(?:[=:]>?|\bis\b)\s{0,3}/gi;
const NAMED =
  /(?:secret|passw(?:or)?d|token|api_?key|access_?key|private_?key)(?:_\w{1,20})?(?:\\?["'])?\s{0,3}(?:=|:)\s{0,3}(?:\\?["'])?(?!\$)([^\s"'`\\<>{}()[\],;]{12,200})/gi;
const IN_ADDRESS = /\b[a-z][a-z+]{2,20}:\/\/([^\s:/@"']{0,60}):([^\s:/@"'${}<>]{8,100})@([^\s:/"'\\]+)/gi;
/** Names of variables that usually hold keys. */
const VARIABLE =
  /\b[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,20}){0,4}_(?:KEY|PASS|PWD|AUTH|CREDS?)\s{0,3}[=:]\s{0,3}(?!\$)([^\s"'`\\<>{}()[\],;&]{12,200})/g;
const NO_SECRET =
  /example|your|change|dummy|sample|placeholder|redacted|test|xxx|\.\.\.|\*\*|process|env\b|secret|passw/i;
const EXAMPLE_HOST = /^(?:postgres|mysql|redis|mongo|host|[\w-]+$)|example|\.test$/i;

/** True if the value after a secret's name looks random. */
function namesSecret(text: string): boolean {
  for (const [, value = ''] of [...text.matchAll(NAMED), ...text.matchAll(VARIABLE)])
    if (isDrawn(value)) return true;
  for (const [, user = '', password = '', host = ''] of text.matchAll(IN_ADDRESS))
    if (password !== user && isDrawn(password) && !isThisMachine(host) && !EXAMPLE_HOST.test(host))
      return true;
  return false;
}

const database = once(
  () =>
    new RegExp(
      `\\b${anyServiceBy('schemes')}(?:\\+\\w{1,20})?://([^\\s:/@"'\\\\]{0,60}):([^\\s/"'\${}<>%\\\\]{4,100})@([^\\s:/"'\\\\?,]+)`,
      'gi',
    ),
);
/** Local hosts, and example hosts from manuals. */
const NO_PLACE = /^(?:host\.docker\.internal|[\w-]+)$|example|\.(?:test|local|localhost|invalid)$/i;
const NO_PASSWORD =
  /^(?:pass|pwd?|user|admin|root|guest|postgres|mysql|hunter2|letmein|x+|\d{1,4}|\w{1,12}_?(?:dev|local))$/i;

/** A database address with credentials for another machine. */
function logsInElsewhere(text: string): boolean {
  for (const [, user = '', password = '', host = ''] of text.matchAll(database())) {
    const isReal = /[a-z]/i.test(password) && /[\d\W_]/.test(password) && !NO_SECRET.test(password);
    const isOther = !isThisMachine(host) && !NO_PLACE.test(host);
    if (isReal && isOther && password !== user && !NO_PASSWORD.test(password)) return true;
  }
  return false;
}

/** A form of an account's own page has no such line; a sample from a manual is typed into one as seldom. */
const AWS_SECRET = /\baws_secret_access_key\W{1,6}[\w/+]{40}(?![\w/+])/i;

/** Credentials in prose: `login: anna@example.com / …`, `the password is …`. */
const LOGIN =
  /\b(?:log-?in|credentials?|account|user(?:name)?)\b[^\n]{0,80}?[\w.+-]{2,60}@[\w.-]{3,80}\s{1,2}[/|:]\s{0,2}([^\s"'\\,]{8,64})/gi;
const PASSWORD =
  /\bpass(?:word|wort|phrase)\s{0,2}(?:is\b|[:=])\s{0,2}["'`]?(?!\$)([^\s"'`\\,<>{}()]{8,64})/gi;

function saysPassword(text: string): boolean {
  return [...text.matchAll(LOGIN), ...text.matchAll(PASSWORD)].some(
    ([, value = '']) =>
      /[a-z]/i.test(value) && /\d/.test(value) && /[^\w.:/@-]/.test(value) && !NO_SECRET.test(value),
  );
}

function isDrawn(value: string): boolean {
  if (NO_SECRET.test(value) || /^https?:/i.test(value)) return false;
  if (/^[0-9a-f]{32,}$/.test(value)) return true;
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value);
  // Function names have at most one digit.
  return isMixed && (value.match(/\d+/g) ?? []).length > 1 && new Set(value).size >= 8;
}
