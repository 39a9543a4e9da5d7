import { isObject } from '../../model/json.ts';
import { withoutComments } from '../../shell/code/comments.ts';
import { isOnOwnNetwork } from '../hosts/nearby.ts';
import type { EffectWord } from '../match/effect-words.ts';
import { programLines } from './file-lines.ts';
import { blockStyle } from './flow-style.ts';
import { CI_FILE, TOOL_SERVERS } from './kinds.ts';
import { isOddAddress } from './places.ts';
import type { Changed } from './texts.ts';
import { yamlLines } from './yaml-lines.ts';

type Mark = EffectWord<'write'>;

/** What a file would do that no command line does, as words for rules after `write`; empty for nearly all files. */
export function marksOf(file: Changed): readonly Mark[] {
  const finders = FINDERS.filter(({ path }) => path.test(file.path));
  if (finders.length === 0) return [];
  const find = (path: string, text: string, isPart: boolean) =>
    finders.flatMap((one) => one.find(path, text, isPart));
  const whole = file.whole();
  if (whole === null) return marksIn(find(file.path, file.given.text, file.given.isPart));
  const had = new Set(find(file.path, whole.before, false).map(keyOf));
  return marksIn(find(file.path, whole.after, false).filter((sign) => !had.has(keyOf(sign))));
}

/** What shows it: one that was there before is nothing new. */
type Sign = readonly [mark: Mark, text: string];

function keyOf(sign: Sign): string {
  return sign.join(' ');
}

function marksIn(signs: readonly Sign[]): readonly Mark[] {
  return [...new Set(signs.map(([mark]) => mark))];
}

const LONGEST = 64 * 1024;

function ciSigns(given: string, isPart: boolean): Sign[] {
  const text = given.slice(0, LONGEST).replace(/^[ \t]*#.*$/gm, '');
  const lines = yamlLines(text, isPart);
  const variables = new Map(
    [...blockStyle(text).matchAll(SECRET_VARIABLE)].map(([, name = '', secret = '']) => [name, secret]),
  );
  const printed = lines.flatMap((block) => block.split('\n').filter(printsSecret));
  return [
    ...printed.map((line): Sign => ['ci-secrets', line.trim()]),
    ...lines.flatMap((block) => sendsSecret(block, variables)).map((line): Sign => ['ci-secrets', line]),
    ...(usesAllSecrets(text, lines) ? [['ci-secrets', 'all'] as const] : []),
    ...(runsForeignCode(text) ? [['ci-foreign-code', ''] as const] : []),
  ];
}

const ALL_SECRETS = /\btoJSON\(\s*secrets\s*\)/i;
const PASSES_ON =
  /curl|wget|\bnc\b|ncat|socat|base64|base32|xxd|\bod\b|openssl|http|fetch|\becho\b|printf|printenv|\benv\b|\bcat\b/;

/** All secrets at once, in a command or in a variable that commands use; a step of others' may be given them. */
function usesAllSecrets(text: string, lines: readonly string[]): boolean {
  if (!ALL_SECRETS.test(text)) return false;
  return (
    lines.some((line) => ALL_SECRETS.test(line) || PASSES_ON.test(line)) ||
    (lines.length === 0 && !/\bwith\s*:/.test(text))
  );
}

const SECRET = /\$\{\{\s*secrets\.\w+\s*\}\}/i;
/** They print what they read, in other letters. */
const ENCODES =
  /^\s*(?:base64|base32|xxd|od|hexdump|rev|tr|fold|sed|cut|awk|gzip|openssl|tac|cat|nl|bzip2|xz|head|tail)\b(?!.*(?:\s-d\b|\s-D\b|--decode|\s-r\b|>))/;

/** A secret that ends up in the log, which hides it only as it is. */
function printsSecret(line: string): boolean {
  if (!SECRET.test(line) || line.includes('::add-mask::')) return false;
  return line.split(/&&|;|\|\|/).some((part) => {
    const [first = '', ...others] = part.split('|');
    const isPrinted = /^\s*(?:echo|printf|cat\s*<<<)\b/.test(first) && SECRET.test(first) && !/>/.test(first);
    return isPrinted && others.every((one) => ENCODES.test(one));
  });
}

/** A variable that stands for a secret. */
const SECRET_VARIABLE = /^[ \t-]*(\w{1,60})[ \t]*:[ \t]*["']?\$\{\{[ \t]*secrets\.(\w{1,60})[ \t]*\}\}/gm;
const USED = /\$\{\{\s{0,9}secrets\.(\w{1,60})\s{0,9}\}\}|\$\{?(\w{1,60})\}?/g;
const TO_HOST =
  /\b(?:https?:\/\/|\/dev\/(?:tcp|udp)\/|(?:nc|ncat|socat)\s+(?:-\w+\s+)*)((?:[\w-]{1,60}\.)*[\w-]{1,60})/i;
/** With these a request says who asks, and names what it wants. */
const WHO_ASKS =
  /(?:^|\s)(?:-H|--header|-u|--user|--oauth2-bearer|--password|--username|-A)[= ]?\s{0,5}(?:"[^"]{0,500}"|'[^']{0,500}'|\S{1,300})/g;

/** Lines that give a secret of one service to a host that has nothing to do with it. */
function sendsSecret(block: string, variables: ReadonlyMap<string, string>): readonly string[] {
  return block
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => {
      if (
        line.length > LONGEST_LINE ||
        !/\b(?:curl|wget|https?|xh|nc|ncat|socat|fetch)\b|\/dev\/tcp/.test(line)
      )
        return false;
      const host = TO_HOST.exec(line)?.[1]?.toLowerCase();
      if (host === undefined || isOnOwnNetwork(host)) return false;
      const said = line.replace(WHO_ASKS, ' ');
      const given = [...said.matchAll(USED)].flatMap(
        ([, secret, name = '']) => secret ?? variables.get(name) ?? [],
      );
      const own = given.filter((secret) =>
        secret
          .toLowerCase()
          .split('_')
          .some((word) => word.length > 2 && host.includes(word)),
      );
      return given.length > own.length;
    })
    .map((line) => line.trim());
}

const HEAD = /github\.(?:event\.pull_request\.head\.(?:sha|ref|repo)|head_ref)/;

/** With the rights of the repository, and with what anyone proposes to put into it. */
function runsForeignCode(text: string): boolean {
  return (
    /\bpull_request_target\b/.test(text) &&
    /\buses\s*:\s*["']?actions\/checkout@|\bgh\s+pr\s+checkout\b|\bgit\s+(?:checkout|fetch|clone)\b/.test(
      text,
    ) &&
    (HEAD.test(text) || /\bgh\s+pr\s+checkout\b|refs\/pull\//.test(text)) &&
    /\brun\s*:|\buses\s*:\s*["']?\.\//.test(text)
  );
}

const REGISTRY_FILE =
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.ya?ml)?|pip\.(?:conf|ini)|\.pip\/pip\.conf|uv\.toml|bunfig\.toml|\.condarc|\.gemrc|nuget\.config|\.pypirc|requirements[\w.-]*\.txt|pom\.xml|\.m2\/settings\.xml)$/i;
/** Where Maven looks for packages; other addresses in such a file are for people. */
const REPOSITORY = /<(?:plugin)?repository>[\s\S]{0,400}?<url>\s{0,9}(https?:\/\/[^\s<]+)/gi;
const REGISTRY =
  /(?:registry|index-url|extra-index-url|index_url|npmRegistryServer|npmRegistry|channel_alias|value|url)["']?[ \t]{0,9}[=: ][ \t]{0,9}["']?(https?:\/\/[^\s"'>]+)/gi;

const UNCHECKED = /^[ \t]*(?:strict-ssl|enableStrictSsl|ssl_verify)["']?\s*[=:]\s*false\b/im;

function registrySigns(text: string): Sign[] {
  const lines = text.slice(0, LONGEST).replace(/^[ \t]*[#;].*$/gm, '');
  const addresses = lines.includes('<repositor') ? REPOSITORY : REGISTRY;
  const odd = [...lines.matchAll(addresses)].map(([, url = '']) => url).filter(isOddAddress);
  return [...(UNCHECKED.test(lines) ? ['unchecked'] : []), ...odd].map((one) => ['registry', one]);
}

/** Outside of the project, where a review of the project misses it. */
const OUTSIDE = String.raw`["'\[\s]*(?:@?(?:/|~|\$HOME|https?:))`;
/** Settings by which another program, or code in front of the program, is started: by file. */
const START_SETTINGS: readonly (readonly [file: RegExp, setting: RegExp])[] = [
  [
    /(?:^|\/)\.npmrc$/,
    /^[ \t]*(?:script-shell[ \t]*=|node-options[ \t]*=.*(?:--(?:require|import|loader|experimental-loader)\b|-r[ \t]))/gm,
  ],
  [
    /(?:^|\/)\.yarnrc\.ya?ml$/,
    new RegExp(
      `^[ \\t]*(?:yarnPath|nodeOptions)[ \\t]*:${OUTSIDE}|nodeOptions[ \\t]*:.*--(?:require|import)`,
      'gm',
    ),
  ],
  [/(?:^|\/)bunfig\.toml$/, new RegExp(`^[ \\t]*preload[ \\t]*=${OUTSIDE}`, 'gm')],
  [
    /(?:^|\/)(?:gradle\.properties|jvm\.config|\.mavenrc|\.jvmopts|jvm\.options)$/,
    /-(?:javaagent|agentpath|agentlib):|-Xbootclasspath/g,
  ],
  [
    /(?:^|\/)(?:php\.ini|\.user\.ini|\.htaccess|[\w-]+\.ini)$/,
    /^[ \t]*(?:php_value[ \t]+)?auto_(?:pre|ap)pend_file\b[ \t]*=?[ \t]*["']?(?!none\b)\S/gm,
  ],
  [
    /(?:^|\/)\.cargo\/config(?:\.toml)?$/,
    new RegExp(
      `^[ \\t]*(?:rustc-wrapper|rustc-workspace-wrapper|runner|linker)[ \\t]*=${OUTSIDE}(?!/?usr/|/?opt/)`,
      'gm',
    ),
  ],
  [/\.pth$/, /^import[ \t]/gm],
];

function startSigns(setting: RegExp, text: string): Sign[] {
  const start = text.slice(0, LONGEST);
  return [...start.matchAll(setting)].map(({ index }) => ['start-code', lineAt(start, index)]);
}

function lineAt(text: string, index: number): string {
  const end = text.indexOf('\n', index);
  return text.slice(index, end < 0 ? text.length : end).trim();
}

const SERVER_LISTS = /["'](?:mcpServers|mcp_servers|servers|context_servers)["']\s*:\s*\{/;

/** Settings in JSON that name the programs or addresses of tool servers. */
function serverSigns(path: string, text: string): Sign[] {
  const start = text.slice(0, LONGEST);
  const isNamed = TOOL_SERVERS.test(path) || /["']mcp_?servers["']/i.test(start);
  const isList = SERVER_LISTS.test(start) || /["'](?:command|url|serverUrl|httpUrl)["']\s*:/.test(start);
  if (!isNamed || !isList) return [];
  const servers = serversIn(text);
  return servers.length === 0 ? [['tool-server', '']] : servers.map((one) => ['tool-server', one]);
}

/** Each with its name, whatever else is in the file. */
function serversIn(text: string): readonly string[] {
  const found: string[] = [];
  try {
    JSON.parse(text, (key, value: unknown) => {
      if (SERVER_LIST.test(key) && isObject(value))
        for (const [name, one] of Object.entries(value)) found.push(`${name} ${JSON.stringify(one)}`);
      return value;
    });
  } catch {
    return programLines(text);
  }
  return found;
}

const SERVER_LIST = /^(?:mcpServers|mcp_servers|servers|context_servers)$/;

/** What agents may be told in; which files they read is said elsewhere. */
const PROSE = /\.(?:mdc?|markdown|txt)$|rules$/i;
const GETS_PAST =
  /\b(?:ignor|skip|bypass|disabl|overrid|circumvent|turn(?:ing)? off|switch(?:ing)? off|get(?:ting)? (?:past|around))\w{0,3}\b[^.\n]{0,60}\b(?:hooks?|approvals?|permissions?|confirmations?|guard(?:rail)?s?|sandbox)\b|\bwithout (?:asking|approval|confirmation|permission)\b|--(?:dangerously|skip|bypass)-[\w-]{0,40}|--(?:yolo|no-verify)\b|\bbypass[_-]?permissions\b|\bdanger-full-access\b/i;
const FORBIDS = /\b(?:never|not|don't|must not|avoid|cannot|can't|forbidden|instead of|unless|if)\b/i;

/** Lines that tell an agent to get past what keeps it in check. */
function looseSigns(text: string): Sign[] {
  const lines = text.slice(0, LONGEST).split('\n');
  return lines
    .filter((line) => line.length < LONGEST_LINE && GETS_PAST.test(line) && !FORBIDS.test(line))
    .map((line) => ['loosened', line.trim()]);
}

const LONGEST_LINE = 1_000;

const WEB_FILE = /\.(?:php\d?|phtml|phar|jspx?|jspf|aspx?|ashx|cfm)$/i;
const PHP_SHELL =
  /\b(?:eval|assert|system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|create_function)\s*\(\s*[^;()]{0,80}(?:\([^;()]{0,80}){0,3}\$_(?:GET|POST|REQUEST|COOKIE|FILES|SERVER\s*\[\s*['"]HTTP_)|`[^`\n]{0,200}\$_(?:GET|POST|REQUEST|COOKIE)|\$_(?:GET|POST|REQUEST|COOKIE)\s*\[[^\]]{1,40}\]\s*\(/i;
/** What is made one word, or a number. */
const HARMLESS = /\b(?:escapeshell(?:arg|cmd)|intval)\s*\([^;()]{0,200}\)|\(int\)\s*\$_\w+\[[^\]]{0,40}\]/gi;
const JAVA_SHELL =
  /(?:\.exec|ProcessBuilder|\.eval|Process\.Start|\bexecute(?:global)?|\beval)\s*\(?\s*[^;]{0,80}\brequest\b\s*[.([]/i;

/** A page that runs what a visitor sends it. */
function isWebShell(path: string, text: string): boolean {
  const plain = withoutComments(text.slice(0, LONGEST), 'slashes-and-hash');
  // Long gaps would be tried at each of their ends.
  const code = plain
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .replace(HARMLESS, '0');
  return (/\.ph/i.test(path) ? PHP_SHELL : JAVA_SHELL).test(code);
}

/** Where each kind of sign is looked for. */
const FINDERS: readonly {
  readonly path: RegExp;
  find(path: string, text: string, isPart: boolean): readonly Sign[];
}[] = [
  { path: CI_FILE, find: (_, text, isPart) => ciSigns(text, isPart) },
  ...START_SETTINGS.map(([path, setting]) => ({
    path,
    find: (_: string, text: string) => startSigns(setting, text),
  })),
  { path: REGISTRY_FILE, find: (_, text) => registrySigns(text) },
  { path: /\.jsonc?$/i, find: serverSigns },
  { path: PROSE, find: (_, text) => looseSigns(text) },
  { path: WEB_FILE, find: (path, text) => (isWebShell(path, text) ? [['web-shell', '']] : []) },
];
