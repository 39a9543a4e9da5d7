import { wordsFor } from '../../knowledge/load.ts';
import { isObject } from '../../model/json.ts';
import type { ToolCall } from '../../model/tools.ts';
import { once } from '../../platform/bounded.ts';
import { isProduction } from '../places/trial.ts';
import { clickedOn } from './clicks.ts';
import { reachesMany } from './messages.ts';
import { movesMoney } from './money.ts';
import { changesWith } from './statements.ts';
import { LOOKS, type Text, textsIn, verbWords, wordSet, wordsOf } from './texts.ts';

/**
 * What a tool seems to do to what a service keeps. `destructive`: something is gone, or stops working for others.
 * `access`: somebody may do or see more, or loses a key. `secret`: it returns a password. `money`: somebody pays, or is
 * paid. `message`: many people, or the public, get a message. `release`: others get what was made here.
 */
export interface Change {
  readonly verb: string;
  readonly how: 'destructive' | 'access' | 'secret' | 'money' | 'message' | 'release';
}

/** They take away whatever it is, unless it is something small. */
const removes = once(() => new Set(wordsFor('tool')));
/** They do where it is something that others rely on. */
const removesBig = once(() => new Set(wordsFor('tool-big')));
const STOPS = wordSet('pause suspend stop shutdown disable deactivate cancel archive');
const BIG = wordSet(
  'repo repository branch database db schema table collection index bucket project app application account user users member members org organization team workspace tenant namespace cluster volume volumes disk snapshot backup backups instance server vm zone domain stack environment deployment service function key keys secret secrets certificate queue topic stream release system storage trash channel migrate',
);
/** What people take away all day, and can write again. */
const SMALL = wordSet(
  'comment comments label labels reaction reactions assignee assignees reviewer reviewers note notes watcher watchers draft drafts message cache pod container image entity entities observation observations relation relations element item items todo task checklist bookmark favorite star breakpoint tab highlight annotation filter mention attachment worklog link attendee cell row selection shape layer frame cookie session event events reminder simulator simulators sims one',
);
const MANY = wordSet('all many batch bulk every everything multiple cascade');

const PEOPLE = wordSet('user users account accounts member members');
const GUARDS = wordSet(
  'protection protections ruleset rulesets firewall waf mfa 2fa sso encryption versioning policy policies permission permissions iam acl collaborator collaborators visibility',
);
const CHANGES = wordSet(
  'update edit modify set put patch delete remove disable change attach add grant replace reset unenroll bypass',
);
const KEYS = wordSet('key keys secret secrets token tokens credential credentials password passwords');

/** Null where nothing is changed that others rely on, as far as the names tell. */
export function changeIn(
  tool: ToolCall,
  verb: string,
  texts: readonly Text[],
  isAboutFiles: boolean,
): Change | null {
  if (IN_A_BROWSER.test(`${tool.mcp?.server ?? ''} ${verb}`)) {
    const clicked = clickedOn(verb, texts);
    return clicked === null ? null : { verb, how: clicked };
  }
  const own = verbWords(tool, verb);
  const actions = actionsIn(tool.input);
  const named = [...own, ...actions];
  // An argument may say more than the tool's name, and never less: a tool may ignore what it is given.
  const readings = named.length === own.length ? [own] : [own, named];
  if (readings.some((words) => tellsSecret(tool, words))) return { verb, how: 'secret' };
  if (givesAccess(tool, named)) return { verb, how: 'access' };
  const looks = LOOKS.has(own[0] ?? '');
  const isGone =
    !looks &&
    (isAboutFiles
      ? deletesInRepository(tool.input, texts)
      : readings.some((words) => takesAway(tool, words, texts)));
  if (isGone || isReset(tool.input, named, texts) || replaces(tool.input, named, texts))
    return { verb, how: 'destructive' };
  if (looks) return null;
  const verbs = actions.length === 0 ? [own] : [own, [...actions, ...own]];
  if (verbs.some((words) => movesMoney(tool, words))) return { verb, how: 'money' };
  if (reachesMany(tool, own, texts)) return { verb, how: 'message' };
  return verbs.some((words) => releases(words, texts)) ? { verb, how: 'release' } : null;
}

/** The same of a tool whose call is a command line or a query as well, which does not say all of it. */
export function changeBeside(tool: ToolCall, verb: string, texts: readonly Text[]): Change | null {
  const how = changesWith(tool, texts);
  return how === null ? null : { verb, how };
}

/** Nothing that is there belongs to anybody else. */
const IN_A_BROWSER = /browser|playwright|puppeteer|chrome|devtools|selenium/i;

const MAIN = /^(?:(?:refs\/)?heads\/)?(?:main|master|trunk|production|prod|release\b.*)$/i;
const BUILDS = /^\/?(?:\.github|\.gitlab|\.circleci)\//;

/** A file of a repository that lies elsewhere, where it goes from the branch that everybody uses. */
function deletesInRepository(input: ToolCall['input'], texts: readonly Text[]): boolean {
  const { owner, repo, repository, project_id: projectId, projectId: project, branch } = input;
  const isElsewhere = [owner ?? repository ?? projectId ?? project, repo ?? projectId ?? project].every(
    (one) => typeof one === 'string' || typeof one === 'number',
  );
  if (!isElsewhere) return false;
  return typeof branch !== 'string' || MAIN.test(branch) || texts.some(({ text }) => BUILDS.test(text));
}

const RELEASES = wordSet('deploy promote release publish rollout ship redeploy');
const PUBLISHED = wordSet('package packages app application extension crate gem module plugin');
const REQUESTS = /(?:^|_)(?:(?:pull|merge)_requests?|prs?|mrs?)(?:_|$)/;

/** What is proposed becomes what everybody has; what is made here goes to those who use it. */
function releases(named: readonly string[], texts: readonly Text[]): boolean {
  const [first = ''] = named;
  const name = named.join('_');
  if (/auto_?merge/.test(name)) return /^(?:enable|set|turn|allow)/.test(first);
  if (/^(?:merge|accept|complete)$/.test(first)) return REQUESTS.test(named.slice(1).join('_'));
  if (named.at(-1) === 'merge' && first !== 'create') return REQUESTS.test(name);
  if (first === 'publish' || name.includes('for_review'))
    if (name.includes('for_review') || named.some((word) => PUBLISHED.has(word))) return true;
  if (named.some((word) => /^(?:flags?|toggles?)$/.test(word))) return isProduction(texts);
  return RELEASES.has(first) && (named.includes('production') || isProduction(texts));
}

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
    (word) => !removes().has(word) && !wordsOf(tool.mcp?.server ?? '').includes(word),
  );
  const isBig = object.some((word) => BIG.has(word));
  if (named.some((word) => removes().has(word))) return isMany || !isSmall(tool, object, texts);
  if (named.some((word) => removesBig().has(word)))
    return (isBig && !isSmall(tool, object, texts)) || (isMany && named.includes('remove'));
  if (!named.some((word) => STOPS.has(word))) return false;
  return isMany || (isBig && (object.some((word) => PEOPLE.has(word)) || isProduction(texts)));
}

/** One key of a cache is like a variable. */
const KEYED = /redis|valkey|memcache/i;

function isSmall({ mcp, input }: ToolCall, object: readonly string[], texts: readonly Text[]): boolean {
  if (SMALL.has(object.at(-1) ?? '')) return true;
  const isKey = typeof input.key === 'string' || Array.isArray(input.keys);
  return KEYED.test(mcp?.server ?? '') && isKey && !isProduction(texts);
}

function asksForAll(input: ToolCall['input'], texts: readonly Text[]): boolean {
  return (
    Object.entries(input).some(
      ([key, value]) => value === true && wordsOf(key).some((word) => MANY.has(word)),
    ) || texts.some(({ text }) => text === '*')
  );
}

const HISTORY = wordSet('ref refs branch tag push merge rebase');

/** Of git, by a tool of its own: work that is not committed, or commits of others. */
function isReset({ force }: ToolCall['input'], named: readonly string[], texts: readonly Text[]): boolean {
  if (force === true && named.some((word) => HISTORY.has(word))) return true;
  return named.includes('reset') && texts.some(({ text }) => text === 'hard' || text === '--hard');
}

const destroys = once(() => new Set(wordsFor('tool-flag')));

/** A flag says that it destroys, or the last step of a query puts its result in the place of a collection. */
function replaces(input: ToolCall['input'], named: readonly string[], texts: readonly Text[]): boolean {
  const { filter } = input;
  const isWide = isProduction(texts) || (isObject(filter) && Object.keys(filter).length === 0);
  return (
    (named.includes('update') && named.includes('many') && isWide) ||
    texts.some(({ key }) => key === '$out') ||
    Object.entries(input).some(
      ([key, value]) => value === true && wordsOf(key).some((word) => destroys().has(word)),
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
  return (isOpened && has(CHANGES)) || isShared(input, named) || isPromoted(input, named);
}

const SHARES = wordSet('share permission permissions link acl invite');
const ANYBODY = /^(?:anyone|anonymous|public|everyone|world|allusers)$/i;

/** With whoever knows the address. */
function isShared(
  { type, scope, access, audience, grantee }: ToolCall['input'],
  named: readonly string[],
): boolean {
  if (!named.some((word) => SHARES.has(word))) return false;
  return [type, scope, access, audience, grantee].some((one) => typeof one === 'string' && ANYBODY.test(one));
}

const LETS_IN = wordSet('create add invite update set assign');
const POWERFUL = /^(?:admin(?:istrator)?|owner|root|superuser|super_?admin|maintainer)$/i;

/** Somebody may do everything from now on. */
function isPromoted(input: ToolCall['input'], named: readonly string[]): boolean {
  const isAboutPeople = named.some(
    (word) => PEOPLE.has(word) || /^(?:invite|invitation|role|roles)$/.test(word),
  );
  return (
    isAboutPeople &&
    LETS_IN.has(named[0] ?? '') &&
    textsIn(input).some(({ key, text }) => /role|permission/i.test(key) && POWERFUL.test(text))
  );
}

const READS = wordSet('get read fetch reveal show retrieve export dump download view decrypt');
const SECRETS = wordSet('secret secrets password passwords credential credentials');
/** Only tells which there are, or what is known of them. */
const ABOUT = wordSet(
  'list search scanning alert alerts metadata names policy info count generate template note notes obsidian',
);
const STORES =
  /vault|1password|onepassword|bitwarden|lastpass|keeper|doppler|infisical|secrets?[_-]?manager/i;
const ENTRIES = wordSet('item items login kv field entry');

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
