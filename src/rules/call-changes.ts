import type { ToolCall } from '../model/tools.ts';
import { type Text, wordsOf } from './call-texts.ts';

/**
 * What a tool seems to do to what a service keeps. `destructive`: something is gone, or stops working for others.
 * `access`: somebody may do or see more, or loses a key. `secret`: it returns a password.
 */
export interface Change {
  readonly verb: string;
  readonly how: 'destructive' | 'access' | 'secret';
}

/** They take away whatever it is, unless it is something small. */
const REMOVES = words(
  'delete destroy drop purge prune terminate wipe truncate revoke uninstall erase nuke flush flushall flushdb deprovision decommission deregister drain unpublish yank',
);
/** They do where it is something that others rely on. */
const REMOVES_BIG = words('remove rm clear reset unlink empty rollback');
const STOPS = words('pause suspend stop shutdown disable deactivate cancel archive');
const BIG = words(
  'repo repository branch database db schema table collection index bucket project app application account user users member members org organization team workspace tenant namespace cluster volume volumes disk snapshot backup backups instance server vm zone domain stack environment deployment service function key keys secret secrets certificate queue topic stream release system storage trash channel migrate',
);
/** What people take away all day, and can write again. */
const SMALL = words(
  'comment comments label labels reaction reactions assignee assignees reviewer reviewers note notes watcher watchers block blocks draft drafts message cache pod container image entity entities observation observations relation relations element item items todo task checklist bookmark favorite star breakpoint tab highlight annotation filter mention attachment worklog link attendee cell row selection shape layer frame cookie session event events reminder simulator simulators sims one',
);
const MANY = words('all many batch bulk every everything multiple cascade');

const PEOPLE = words('user users account accounts member members');
const GUARDS = words(
  'protection protections ruleset rulesets firewall waf mfa 2fa sso encryption versioning policy policies permission permissions iam acl collaborator collaborators visibility',
);
const CHANGES = words(
  'update edit modify set put patch delete remove disable change attach add grant replace',
);
const KEYS = words('key keys secret secrets token tokens credential credentials password passwords');

const PRODUCTION = /(?:^|[^a-z])(?:prod|production|live)(?:[^a-z]|$)/i;

/** Null where nothing is changed that others rely on, as far as the names tell. */
export function changeIn(
  tool: ToolCall,
  verb: string,
  texts: readonly Text[],
  isAboutFiles: boolean,
): Change | null {
  if (IN_A_BROWSER.test(`${tool.mcp?.server ?? ''} ${verb}`)) return null;
  const own = wordsOf(verb);
  const named = [...own, ...actionsIn(tool.input)];
  // An argument may say more than the tool's name, and never less: a tool may ignore what it is given.
  const readings = named.length === own.length ? [own] : [own, named];
  if (readings.some((words) => tellsSecret(tool, words))) return { verb, how: 'secret' };
  if (givesAccess(tool, named)) return { verb, how: 'access' };
  const isGone =
    !isAboutFiles && !LOOKS.has(own[0] ?? '') && readings.some((words) => takesAway(tool, words, texts));
  return isGone || isReset(tool.input, named, texts) || replaces(tool.input, texts)
    ? { verb, how: 'destructive' }
    : null;
}

/** Nothing that is there belongs to anybody else. */
const IN_A_BROWSER = /browser|playwright|puppeteer|chrome|devtools|selenium/i;
const LOOKS = words(
  'get list search find describe show count read query check is has can preview plan validate',
);

/** What it does may stand among the arguments: `manage_resource`, with `operation: delete`. */
function actionsIn({
  action,
  operation,
  op,
  method,
  http_method: httpMethod,
}: ToolCall['input']): readonly string[] {
  return [action, operation, op, method, httpMethod].flatMap((one) =>
    typeof one === 'string' && one.length < 40 ? wordsOf(one) : [],
  );
}

function takesAway(tool: ToolCall, named: readonly string[], texts: readonly Text[]): boolean {
  const isMany = named.some((word) => MANY.has(word)) || asksForAll(tool.input, texts);
  const object = named.filter(
    (word) => !REMOVES.has(word) && !wordsOf(tool.mcp?.server ?? '').includes(word),
  );
  const isBig = object.some((word) => BIG.has(word));
  if (named.some((word) => REMOVES.has(word))) return isMany || !isSmall(tool, object);
  if (named.some((word) => REMOVES_BIG.has(word)))
    return (isBig && !isSmall(tool, object)) || (isMany && named.includes('remove'));
  if (!named.some((word) => STOPS.has(word))) return false;
  return isMany || (isBig && (object.some((word) => PEOPLE.has(word)) || isProduction(texts)));
}

/** One key of a cache is like a variable. */
const KEYED = /redis|valkey|memcache/i;

function isSmall({ mcp, input }: ToolCall, object: readonly string[]): boolean {
  if (SMALL.has(object.at(-1) ?? '')) return true;
  return KEYED.test(mcp?.server ?? '') && (typeof input.key === 'string' || Array.isArray(input.keys));
}

function asksForAll(input: ToolCall['input'], texts: readonly Text[]): boolean {
  return (
    Object.entries(input).some(
      ([key, value]) => value === true && wordsOf(key).some((word) => MANY.has(word)),
    ) || texts.some(({ text }) => text === '*')
  );
}

function isProduction(texts: readonly Text[]): boolean {
  return texts.some(({ text }) => text.length < 200 && PRODUCTION.test(text));
}

const HISTORY = words('ref refs branch tag push merge rebase');

/** Of git, by a tool of its own: work that is not committed, or commits of others. */
function isReset({ force }: ToolCall['input'], named: readonly string[], texts: readonly Text[]): boolean {
  if (force === true && named.some((word) => HISTORY.has(word))) return true;
  return named.includes('reset') && texts.some(({ text }) => text === 'hard' || text === '--hard');
}

const DESTROYS = words('destroy purge wipe truncate nuke');

/** A flag says that it destroys, or the last step of a query puts its result in the place of a collection. */
function replaces(input: ToolCall['input'], texts: readonly Text[]): boolean {
  return (
    texts.some(({ key }) => key === '$out') ||
    Object.entries(input).some(
      ([key, value]) => value === true && wordsOf(key).some((word) => DESTROYS.has(word)),
    )
  );
}

function givesAccess({ input }: ToolCall, named: readonly string[]): boolean {
  const has = (among: ReadonlySet<string>) => named.some((word) => among.has(word));
  if (named.includes('transfer') && has(BIG)) return true;
  if (named.includes('unprotect') || (has(CHANGES) && has(GUARDS))) return true;
  if (/(?:^|_)(?:rotate|regenerate|revoke|reset)_/.test(named.join('_')) && has(KEYS)) return true;
  if (/(?:create|add|generate)_(?:\w+_)?(?:access|api|deploy|ssh|account)_key/.test(named.join('_')))
    return true;
  const isOpened = input.visibility === 'public' || input.private === false;
  return isOpened && has(CHANGES);
}

const READS = words('get read fetch reveal show retrieve export dump download view decrypt');
const SECRETS = words('secret secrets password passwords credential credentials');
/** Only tells which there are, or what is known of them. */
const ABOUT = words(
  'list search scanning alert alerts metadata names policy info count generate template note notes obsidian',
);
const STORES =
  /vault|1password|onepassword|bitwarden|lastpass|keeper|doppler|infisical|secrets?[_-]?manager/i;
const ENTRIES = words('item items login kv field entry');

function tellsSecret({ mcp }: ToolCall, named: readonly string[]): boolean {
  const server = mcp?.server ?? '';
  const isRead = named.some((word) => READS.has(word)) || named[0] === 'access' || named.at(-1) === 'access';
  if (!isRead) return false;
  if ([...named, ...wordsOf(server)].some((word) => ABOUT.has(word))) return false;
  return (
    named.some((word) => SECRETS.has(word)) ||
    /(?:access|auth|refresh|session)_token|(?:service_role|private|api|access)_keys?/.test(named.join('_')) ||
    (STORES.test(server) && named.some((word, at) => ENTRIES.has(word) || (at === 0 && named.length === 1)))
  );
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
