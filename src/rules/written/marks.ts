import { withoutComments } from '../../shell/code/comments.ts';
import type { EffectWord } from '../match/effect-words.ts';
import { CI_FILE, TOOL_SERVERS } from './kinds.ts';
import { isOddAddress } from './places.ts';
import { yamlLines } from './yaml-lines.ts';

type Mark = EffectWord<'write'>;

/** What a file would do that no command line does, in the words of rules after `write`; none for nearly all files. */
export function marksOf(path: string, text: string, isPart: boolean): readonly Mark[] {
  if (CI_FILE.test(path)) return ciMarks(text, isPart);
  if (startsCode(path, text)) return ['start-code'];
  if (REGISTRY_FILE.test(path)) return hasOddRegistry(text) ? ['registry'] : [];
  if (hasToolServers(path, text)) return ['tool-server'];
  return WEB_FILE.test(path) && isWebShell(path, text) ? ['web-shell'] : [];
}

const LONGEST = 64 * 1024;

function ciMarks(given: string, isPart: boolean): Mark[] {
  const text = given.slice(0, LONGEST).replace(/^[ \t]*#.*$/gm, '');
  const marks: Mark[] = [];
  const lines = yamlLines(text, isPart);
  if (lines.some(printsSecret) || usesAllSecrets(text, lines)) marks.push('ci-secrets');
  if (runsForeignCode(text)) marks.push('ci-foreign-code');
  return marks;
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
function printsSecret(block: string): boolean {
  return block.split('\n').some((line) => {
    if (!SECRET.test(line) || line.includes('::add-mask::')) return false;
    return line.split(/&&|;|\|\|/).some((part) => {
      const [first = '', ...others] = part.split('|');
      const isPrinted =
        /^\s*(?:echo|printf|cat\s*<<<)\b/.test(first) && SECRET.test(first) && !/>/.test(first);
      return isPrinted && others.every((one) => ENCODES.test(one));
    });
  });
}

const HEAD = /github\.(?:event\.pull_request\.head\.(?:sha|ref|repo)|head_ref)/;

/** With the rights of the repository, and with what anybody proposes to put into it. */
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

function hasOddRegistry(text: string): boolean {
  const lines = text.slice(0, LONGEST).replace(/^[ \t]*[#;].*$/gm, '');
  if (/^[ \t]*(?:strict-ssl|enableStrictSsl|ssl_verify)["']?\s*[=:]\s*false\b/im.test(lines)) return true;
  const addresses = lines.includes('<repositor') ? REPOSITORY : REGISTRY;
  return [...lines.matchAll(addresses)].some(([, url = '']) => isOddAddress(url));
}

/** Outside of the project, where nobody looks at it together with the rest. */
const OUTSIDE = String.raw`["'\[\s]*(?:@?(?:/|~|\$HOME|https?:))`;
/** Settings by which another program, or code in front of the program, is started: by file. */
const START_SETTINGS: readonly (readonly [file: RegExp, setting: RegExp])[] = [
  [
    /(?:^|\/)\.npmrc$/,
    /^[ \t]*(?:script-shell[ \t]*=|node-options[ \t]*=.*(?:--(?:require|import|loader|experimental-loader)\b|-r[ \t]))/m,
  ],
  [
    /(?:^|\/)\.yarnrc\.ya?ml$/,
    new RegExp(
      `^[ \\t]*(?:yarnPath|nodeOptions)[ \\t]*:${OUTSIDE}|nodeOptions[ \\t]*:.*--(?:require|import)`,
      'm',
    ),
  ],
  [/(?:^|\/)bunfig\.toml$/, new RegExp(`^[ \\t]*preload[ \\t]*=${OUTSIDE}`, 'm')],
  [
    /(?:^|\/)(?:gradle\.properties|jvm\.config|\.mavenrc|\.jvmopts|jvm\.options)$/,
    /-(?:javaagent|agentpath|agentlib):|-Xbootclasspath/,
  ],
  [
    /(?:^|\/)(?:php\.ini|\.user\.ini|\.htaccess|[\w-]+\.ini)$/,
    /^[ \t]*(?:php_value[ \t]+)?auto_(?:pre|ap)pend_file\b[ \t]*=?[ \t]*["']?(?!none\b)\S/m,
  ],
  [
    /(?:^|\/)\.cargo\/config(?:\.toml)?$/,
    new RegExp(
      `^[ \\t]*(?:rustc-wrapper|rustc-workspace-wrapper|runner|linker)[ \\t]*=${OUTSIDE}(?!/?usr/|/?opt/)`,
      'm',
    ),
  ],
  [/\.pth$/, /^import[ \t]/m],
];

function startsCode(path: string, text: string): boolean {
  const start = text.slice(0, LONGEST);
  return START_SETTINGS.some(([file, setting]) => file.test(path) && setting.test(start));
}

const SERVER_LISTS = /["'](?:mcpServers|mcp_servers|servers|context_servers)["']\s*:\s*\{/;

/** Settings in JSON that name the programs or addresses of tool servers. */
function hasToolServers(path: string, text: string): boolean {
  if (!/\.jsonc?$/i.test(path)) return false;
  const start = text.slice(0, LONGEST);
  const isNamed = TOOL_SERVERS.test(path) || /["']mcp_?servers["']/i.test(start);
  return isNamed && (SERVER_LISTS.test(start) || /["'](?:command|url|serverUrl|httpUrl)["']\s*:/.test(start));
}

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
