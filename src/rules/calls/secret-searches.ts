import { snake, type Text } from '../../doors/text-words.ts';
import type { ToolCall } from '../../model/tools.ts';

/** Names of credential files in a pattern. */
const SECRET_NAME =
  /\bid_(?:rsa|dsa|ecdsa|ed25519)|(?:\*|[{,.])\.?(?:pem|p12|pfx|p8|jks|keystore|kdbx|ppk|key|ovpn)(?:$|[,}])|\bwallet\.dat|\.netrc|\.pgpass|\.npmrc|\.pypirc|git-credentials|\.aws\b|\.ssh\b|\.gnupg|\.kube\b|kubeconfig|\bcredentials?\b|\.env(?:$|[,}*.])|\.tfstate|\.tfvars|service[-_]?account|_history\b|\bpasswords?\b|\bsecrets?\b|logins\.json|Login Data|\bCookies\b/i;
/** Text patterns of credentials. */
const SECRET_TEXT =
  /AKIA|ASIA\[|ghp_|gho_|github_pat|sk_live|sk-ant|sk-proj|xox[bp]|glpat-|AIza|BEGIN[^|]{0,30}PRIVATE|aws_secret|secret_?access_?key|(?:api|private)_?key\b.{0,6}[=:]|passw(?:or)?d.{0,6}[=:]/i;
const BY_NAME = /(?:^|_)(?:glob|find_files?|search_files?|file_search|list_files?|find|locate)(?:_|$)/;
const PATTERN_KEY = /^(?:pattern|patterns|glob|globs|query|name|filename|regex|search|file_pattern)$/;
const FOLDER_KEY = /^(?:path|paths|dir|directory|folder|root|cwd|base_path|search_path|root_path|location)$/;
/** A pattern may begin with the directory it searches. */
const FOLDER_IN_PATTERN = /^((?:~|\/|\$HOME)[^*?[{]{0,300})\//;

/** The directory that is searched for credentials by name or content; null if none is. */
export function secretSearchIn(
  { kind, name }: ToolCall,
  verb: string,
  texts: readonly Text[],
): string | null {
  if (kind !== 'search' && kind !== 'mcp') return null;
  const given = (is: RegExp) => texts.filter(({ key }) => is.test(snake(key))).map(({ text }) => text);
  const isGrep = name === 'Grep' || /(?:^|_)(?:grep|search_code|search_content)(?:_|$)/.test(verb);
  if (!isGrep && name !== 'Glob' && !BY_NAME.test(verb)) return null;
  const pattern = given(PATTERN_KEY).find(
    (one) => one.length < LONGEST && (isGrep ? SECRET_TEXT : SECRET_NAME).test(one),
  );
  if (pattern === undefined) return null;
  return FOLDER_IN_PATTERN.exec(pattern)?.[1] ?? given(FOLDER_KEY)[0] ?? null;
}

const LONGEST = 1000;
