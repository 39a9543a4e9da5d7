import { type EffectKind, LOSSES, type Loss } from '../../shell/analysis.ts';

/** What rules can say of an effect after its kind. `tags` lets nothing else be said of one, so this is all there is. */
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

/** What is done with the rights of another user; of every kind but `expose`, which is about what may be done. */
export const ELEVATED_WORDS = ['elevated', 'as-root'] as const;

/** Kinds of which a rule can also say a name: of a program, an action, a service or a variable. */
const OPEN = ['privilege', 'vcs', 'env', 'execute', 'resource', 'system', 'package'] as const;
export const OPEN_KINDS: ReadonlySet<string> = new Set(OPEN);

type WordedKind = keyof typeof EFFECT_WORDS;
type OpenKind = (typeof OPEN)[number];
/** A word that can stand after this kind, and is not a name. */
export type EffectWord<Kind extends WordedKind> = (typeof EFFECT_WORDS)[Kind][number];

/** The words for an effect, its kind first; false is left out. */
export function tags<Kind extends WordedKind>(
  kind: Kind,
  ...words: readonly (EffectWord<Kind> | false)[]
): readonly string[] {
  return [kind, ...words.filter((word) => word !== false)];
}

/** The same of a kind that has names, which come first. */
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
