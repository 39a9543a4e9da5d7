import { type EffectKind, LOSSES, type Loss } from '../../shell/analysis.ts';

/** Words that rules can use after an effect's kind. `tags` permits no others, so the list is complete. */
export const EFFECT_WORDS = {
  run: ['unknown', 'unfamiliar', 'disposable', 'unsandboxed'],
  read: ['unknown'],
  write: [
    'append',
    'below',
    'found',
    'unknown',
    'truncated',
    'secret',
    'literal',
    'ci-secrets',
    'ci-foreign-code',
    'registry',
    'tool-server',
    'web-shell',
    'emptied',
    'unignored',
    'lock-file',
    'ungated',
    'unprotected',
    'real-data',
    'start-code',
    'hook-script',
    'loosened',
  ],
  delete: [
    'recursive',
    'force',
    'moved',
    'glob',
    'everything',
    'found',
    'unnamed',
    'named',
    'telling',
    'sifted',
    'sieved',
    'aged',
    'unknown',
    'among',
  ],
  permission: ['recursive', 'unknown', 'owner', 'closed', 'no-entry', 'open', 'setuid', 'setgid'],
  network: [
    'in',
    'out',
    'sends',
    'unknown',
    'loopback',
    'admin-port',
    'metadata',
    'disguised',
    'unusual',
    'carries',
  ],
  send: ['file', 'environment', 'secret', 'variable', 'database', 'unknown', 'literal', 'page', 'told'],
  search: ['secrets'],
  expose: ['place', 'word', 'mention', 'anything', 'among', 'found'],
  privilege: ['shell', 'root'],
  vcs: ['force', 'skips-hooks', ...LOSSES.map(lost)],
  env: ['set', 'unset', 'read', 'everything'],
  execute: ['network', 'file', 'decoded', 'unknown', 'installer'],
  resource: ['mcp', 'destructive', 'access', 'secret', 'message', 'money', 'release', 'disposable'],
  system: ['link'],
  package: ['global', 'address'],
} as const satisfies Readonly<Record<EffectKind | 'search' | 'expose', readonly string[]>>;

/** Uses another user's permissions. Applies to every kind except `expose`, which is about possible writes. */
export const ELEVATED_WORDS = ['elevated', 'as-root'] as const;

/** Kinds that also take a name: of a program, an action, a service or a variable. */
const OPEN = ['privilege', 'vcs', 'env', 'execute', 'resource', 'system', 'package'] as const;
export const OPEN_KINDS: ReadonlySet<string> = new Set(OPEN);

type WordedKind = keyof typeof EFFECT_WORDS;
type OpenKind = (typeof OPEN)[number];
/** A fixed word after this kind, as opposed to a name. */
export type EffectWord<Kind extends WordedKind> = (typeof EFFECT_WORDS)[Kind][number];

/** The tags of an effect, its kind first; omits false. */
export function tags<Kind extends WordedKind>(
  kind: Kind,
  ...words: readonly (EffectWord<Kind> | false)[]
): readonly string[] {
  return [kind, ...words.filter((word) => word !== false)];
}

/** The same for a kind with names, which come first. */
export function namedTags<Kind extends OpenKind>(
  kind: Kind,
  names: readonly string[],
  ...words: readonly (EffectWord<Kind> | false)[]
): readonly string[] {
  return [kind, ...names, ...words.filter((word) => word !== false)];
}

export function lost<What extends Loss>(what: What): `loses-${What}` {
  return `loses-${what}`;
}
