import { opensRules } from '../../doors/access.ts';
import { isTestName } from '../../doors/test-names.ts';
import type { EffectWord } from '../match/effect-words.ts';
import { blockStyle } from './flow-style.ts';
import { GATED, takesGate } from './gates.ts';
import { HOOK_FILE, isExample } from './kinds.ts';
import { isForeignLock, LOCKED } from './lock-files.ts';
import { INFRASTRUCTURE, opensInfrastructure } from './protections.ts';
import { changedRegion, type Region } from './region.ts';
import { opensService, SERVICE_FILES } from './service-guards.ts';
import type { Changed, Whole } from './texts.ts';

/** What a change to a file takes away that kept something safe, in the words of rules after `write`; none for nearly all. */
export function weakenedIn(file: Changed): readonly EffectWord<'write'>[] {
  const { path, given } = file;
  if (given.text === '' && !given.isPart && DATA_FILE.test(path)) return ['emptied'];
  const isIgnoring = IGNORE_FILE.test(path);
  if (!isIgnoring && isExample(path)) return [];
  const whole = isIgnoring || OF_INTEREST.some((one) => one.test(path)) ? file.whole() : null;
  const { text, before } = whole === null ? given : { text: whole.after, before: whole.before };
  if (isIgnoring) return unignores(text, before ?? '') ? ['unignored'] : [];
  if (isForeignLock(path, text, before)) return ['lock-file'];
  if (RULES_FILE.test(path)) return opensRules(text) && !opensRules(before ?? '') ? ['ungated'] : [];
  const parts = partsOf(file, whole);
  return [
    ...(opensInfrastructure(path, text, before) ||
    opensService(path, yaml(path, text), before && yaml(path, before))
      ? (['unprotected'] as const)
      : []),
    ...(parts.some((one) => takesGate(path, one.text, one.before, one.around)) ? (['ungated'] as const) : []),
    ...(parts.some((one) => usesRealData(path, one.text, one.before)) ? (['real-data'] as const) : []),
  ];
}

/** What is changed: the lines that differ, and what the call says it replaces. */
function partsOf({ path, given }: Changed, whole: Whole | null): readonly Region[] {
  const region = whole === null ? null : changedRegion(whole.before, whole.after);
  const { text, before } = given;
  if (region === null && before === null && HOOK_FILE.test(path)) return [{ text, before: '', around: '' }];
  return [...(region === null ? [] : [region]), ...(before === null ? [] : [{ text, before, around: '' }])];
}

/** Who may read and write in a database that anyone can reach. */
const RULES_FILE = /(?:^|\/)[\w.-]*\.rules(?:\.json)?$/;

/** Files of which the whole counts. */
const OF_INTEREST = [...GATED, ...LOCKED, ...SERVICE_FILES, INFRASTRUCTURE, RULES_FILE];

/** One way to write it is enough to look for. */
function yaml(path: string, text: string): string {
  return /\.ya?ml$/i.test(path) ? blockStyle(text) : text;
}

/** Files with collected data, which can't be written again. */
const DATA_FILE =
  /\.(?:csv|tsv|parquet|sqlite3?|db|dump|xlsx?|bak|sql|jsonl|ndjson|avro|rdb)$|(?:^|\/)backups?\/./i;

const IGNORE_FILE =
  /(?:^|\/)\.(?:git|docker|npm|helm|gcloud|vercel|eb|cf)ignore$|(?:^|\/)\.git\/info\/exclude$/;
const SECRET_NAME =
  /\.env|\.pem|\.key\b|\.p12|\.pfx|\.p8\b|\.jks|\.keystore|secret|credential|\.tfvars|\.tfstate|id_rsa|id_ed25519|\.npmrc|\.netrc|service-?account|\.kdbx|\.ovpn|passw|private/i;
const NO_SECRET =
  /example|sample|template|\.pub\b|public|dist\b|schema|\.d\.ts|\.md\b|encrypted|sealed|\.enc\b|\.tsx?$|\.jsx?$/i;

/** Stops ignoring a file with secrets. */
function unignores(text: string, before: string): boolean {
  const lines = linesOf(text);
  const old = linesOf(before);
  const isSecret = (name: string) => SECRET_NAME.test(name) && !NO_SECRET.test(name);
  const isCovered = (name: string) => lines.some((line) => covers(line, name));
  return (
    old.some((line) => !line.startsWith('!') && isSecret(line) && !isCovered(line)) ||
    lines.some((line) => line.startsWith('!') && isSecret(line) && !old.includes(line))
  );
}

function linesOf(text: string): readonly string[] {
  return text
    .slice(0, LONGEST)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

const LONGEST = 64 * 1024;

function covers(pattern: string, name: string): boolean {
  const bare = (one: string) => one.replace(/^(?:\*\*\/|\/)+|\/(?:\*\*?)?$/g, '');
  const [begin = '', ...rest] = bare(pattern).split('*');
  const end = rest.at(-1) ?? '';
  const own = bare(name);
  return rest.length === 0 ? begin === own : own.startsWith(begin) && own.endsWith(end);
}

const REAL_DATA =
  /\bPROD(?:UCTION)?_\w{0,40}(?:DATABASE|DB|REDIS|MONGO|MYSQL|PG|POSTGRES)\w{0,20}|\b\w{0,20}(?:DATABASE|DB|REDIS|MONGO)_(?:URL|URI|HOST)_PROD\w{0,10}|(?:\/\/[^\s"'/]{0,100}@|(?:host|url|uri|server|dsn)\W{1,5}["']?)(?:[\w-]{1,40}[.-]){0,5}prod(?:uction)?[.-][\w.-]{1,60}/i;

/** Tests or development use production data. */
function usesRealData(path: string, text: string, before: string): boolean {
  if (!REAL_DATA.test(text) || REAL_DATA.test(before)) return false;
  return isTestName(path) || before.split('\n').some(isTestName);
}
