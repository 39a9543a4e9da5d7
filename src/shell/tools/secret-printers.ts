import { entryOf } from '../../model/lookup.ts';
import type { Origin, SimpleCommand } from '../analysis.ts';

/** Programs that print passwords and tokens, and the words that make them do it; `--x` is an option. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  pass: ['show', '--clip'],
  gopass: ['show', 'cat'],
  op: ['read', 'item get', 'document get', 'inject'],
  bw: ['get', 'list items', 'export'],
  rbw: ['get'],
  lpass: ['show', 'export'],
  'keepassxc-cli': ['show', 'export', 'clip'],
  'secret-tool': ['lookup', 'search'],
  security: ['find-generic-password', 'find-internet-password', 'dump-keychain', 'export'],
  'kwallet-query': [''],
  gh: ['auth token'],
  glab: ['auth token'],
  git: ['credential fill'],
  gcloud: [
    'auth print-access-token',
    'auth print-identity-token',
    'auth application-default print-access-token',
    'secrets versions access',
  ],
  aws: [
    'secretsmanager get-secret-value',
    'secretsmanager batch-get-secret-value',
    'configure export-credentials',
    'sts get-session-token',
    'sts assume-role',
    'ssm get-parameter',
    'ecr get-login-password',
  ],
  az: ['account get-access-token', 'keyvault secret show'],
  vault: ['kv get', 'read', 'print token', 'token create'],
  kubectl: ['get secret', 'describe secret', 'config view', 'create token'],
  oc: ['get secret', 'whoami --show-token'],
  doppler: ['secrets get', 'secrets download', 'secrets --json'],
  infisical: ['export', 'secrets get'],
  chamber: ['read', 'export'],
  heroku: ['config', 'auth:token'],
  fly: ['auth token'],
  flyctl: ['auth token'],
  sops: ['decrypt', '--decrypt'],
  'ansible-vault': ['view', 'decrypt'],
  // What was copied last is a password as often as not.
  pbpaste: [''],
  'wl-paste': [''],
  xclip: ['-o', '--out'],
  xsel: ['-o', '--output', '-b'],
  'get-clipboard': [''],
  gpg: ['--export-secret-keys', '--export-secret-subkeys'],
  gpg2: ['--export-secret-keys', '--export-secret-subkeys'],
};

/** Programs that print everything a database holds. */
const DUMPS: ReadonlySet<string> = new Set([
  'pg_dump',
  'pg_dumpall',
  'mysqldump',
  'mariadb-dump',
  'mongodump',
  'mongoexport',
  'sqldump',
  'cockroach-dump',
]);

/** Where what a command prints comes from, when it is a store of secrets or a database. */
export function printedBy({ tool, sub, operands, options }: SimpleCommand): Origin | null {
  if (tool === null) return null;
  if (DUMPS.has(tool)) return { kind: 'database', of: tool };
  const verbs = entryOf(SECRETS, tool);
  if (!verbs) return null;
  const words = [...sub, ...operands.slice(0, 3).map(({ template }) => template)];
  const given = options.map(({ name }) => name);
  return verbs.some((verb) => isVerb(verb, words, given)) ? { kind: 'secret', of: tool } : null;
}

/** `get secret` is also `get secrets` and `get secret/x`. */
function isVerb(verb: string, words: readonly string[], options: readonly string[]): boolean {
  const parts = verb.split(' ');
  return parts.every((part, at) => {
    if (part.startsWith('-')) return options.includes(part);
    const word = words[at] ?? '';
    return at === parts.length - 1 ? word.startsWith(part) : word === part;
  });
}
