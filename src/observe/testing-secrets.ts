/** Made-up secrets, one of each kind that is told by its form or its name. None of them opens anything. */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The same every time, and no pattern to the eye. */
function random(seed: number, length: number, alphabet = LETTERS): string {
  let state = seed * 2654435761 + 12345;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    text += alphabet[(state >>> 8) % alphabet.length];
  }
  return text;
}

const hex = (seed: number, length: number) => random(seed, length, '0123456789abcdef');
const upper = (seed: number, length: number) => random(seed, length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');

export interface Planted {
  readonly kind: string;
  /** What must not be found anywhere. */
  readonly secret: string;
  /** How it stands in a text. */
  readonly text: string;
}

const bare = (kind: string, secret: string): Planted => ({ kind, secret, text: secret });
const named = (kind: string, before: string, secret: string, after = ''): Planted => ({
  kind,
  secret,
  text: `${before}${secret}${after}`,
});

export const PLANTED: readonly Planted[] = [
  bare('anthropic', `sk-ant-api03-${random(1, 48)}`),
  bare('openai', `sk-proj-${random(2, 48)}`),
  bare('openrouter', `sk-or-v1-${hex(3, 64)}`),
  bare('github', `ghp_${random(4, 36)}`),
  bare('github fine-grained', `github_pat_${random(5, 22)}_${random(6, 59)}`),
  bare('gitlab', `glpat-${random(7, 20)}`),
  bare('aws id', `AKIA${upper(8, 16)}`),
  named('aws secret', 'AWS_SECRET_ACCESS_KEY=', `${random(9, 20)}/${random(10, 19)}`),
  bare('google api', `AIza${random(11, 35)}`),
  bare('google client', `GOCSPX-${random(12, 28)}`),
  bare('google token', `ya29.${random(13, 60)}`),
  bare('slack bot', `xoxb-${random(14, 12, '0123456789')}-${random(15, 24)}`),
  bare('slack app', `xapp-1-${upper(16, 11)}-${random(17, 40)}`),
  named('slack webhook', 'https://hooks.slack.com/services/T0AB12CD3/B0EF45GH6/', random(18, 24)),
  bare('discord bot', `M${random(19, 24)}.${random(20, 6)}.${random(21, 30)}`),
  named('discord webhook', 'https://discord.com/api/webhooks/123456789012345678/', random(22, 68)),
  bare('stripe', `sk_live_${random(23, 24)}`),
  bare('stripe webhook', `whsec_${random(24, 32)}`),
  bare('npm', `npm_${random(25, 36)}`),
  bare('pypi', `pypi-AgEIcHlwaS5vcmc${random(26, 60)}`),
  bare('rubygems', `rubygems_${hex(27, 48)}`),
  bare('docker', `dckr_pat_${random(28, 27)}`),
  bare('jwt', `eyJ${random(29, 30)}.eyJ${random(30, 60)}.${random(31, 43)}`),
  bare('sendgrid', `SG.${random(32, 22)}.${random(33, 43)}`),
  bare('twilio', `SK${hex(34, 32)}`),
  bare('mailgun', `key-${hex(35, 32)}`),
  bare('mailchimp', `${hex(36, 32)}-us12`),
  bare('telegram', `123456789:AA${random(37, 33)}`),
  named('azure storage', 'AccountName=shop;AccountKey=', `${random(38, 86)}==`),
  bare('azure client', `abc8Q~${random(39, 34)}`),
  bare('digitalocean', `dop_v1_${hex(40, 64)}`),
  bare('databricks', `dapi${hex(41, 32)}`),
  bare('hugging face', `hf_${random(42, 34)}`),
  bare('replicate', `r8_${random(43, 37)}`),
  bare('groq', `gsk_${random(44, 52)}`),
  bare('linear', `lin_api_${random(45, 40)}`),
  bare('notion', `ntn_${random(46, 46)}`),
  bare('figma', `figd_${random(47, 40)}`),
  bare('airtable', `pat${random(48, 14)}.${hex(49, 64)}`),
  bare('atlassian', `ATATT3${random(50, 180)}`),
  bare('shopify', `shpat_${hex(51, 32)}`),
  bare('square', `sq0atp-${random(52, 22)}`),
  bare('postman', `PMAK-${hex(53, 24)}-${hex(54, 34)}`),
  bare('new relic', `NRAK-${random(55, 27)}`),
  bare('grafana', `glsa_${random(56, 32)}_${hex(57, 8)}`),
  bare('sentry', `sntrys_${random(58, 80)}`),
  bare('vault', `hvs.${random(59, 90)}`),
  bare('terraform', `${random(60, 14)}.atlasv1.${random(61, 67)}`),
  bare('doppler', `dp.pt.${random(62, 43)}`),
  bare('pulumi', `pul-${hex(63, 40)}`),
  bare('planetscale', `pscale_tkn_${random(64, 43)}`),
  bare('supabase', `sbp_${hex(65, 40)}`),
  bare('age', `AGE-SECRET-KEY-1${random(66, 58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}`),
  named('password variable', 'DB_PASSWORD=', 'correct-horse-9'),
  named('password option', 'mysql --password ', 'Tr0ub4dor-and-3', ' shop'),
  named('password in JSON', '{"user":"me","password":"', 'hunter2-hunter2', '"}'),
  named('url password', 'postgres://app:', 'S3cretOfTheDb', '@db.internal/shop'),
  named('bearer', 'Authorization: Bearer ', random(67, 40)),
  named('basic', 'Authorization: Basic ', 'YWRtaW46aHVudGVyMjI='),
  named('cookie', 'Cookie: sid=', random(68, 32)),
  named(
    'private key',
    '-----BEGIN OPENSSH PRIVATE KEY-----\n',
    random(69, 70),
    '\n-----END OPENSSH PRIVATE KEY-----',
  ),
  bare('no known form', random(70, 40)),
  named('marked as private', '<private>my sister is called ', 'Wilhelmina', '</private>'),
];

/** What looks like a secret and is none. Nothing of it may change. */
export const BENIGN: Readonly<Record<string, string>> = {
  'git commit': '3f786850e387550fdab836ed7e6dc881de23001b',
  sha256: hex(80, 64),
  md5: hex(81, 32),
  'image digest': `sha256:${hex(82, 64)}`,
  'lockfile integrity': `sha512-${random(83, 86)}==`,
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  'uuid 7': '01a1e085-fc44-77f2-934e-7884410caf2e',
  'tool call': `toolu_${random(84, 24)}`,
  'other call': `call_${random(85, 24)}`,
  'rollout path':
    '/home/dev/.codex/sessions/2026/11/15/rollout-2026-11-15T18-43-59-01a1e085-fc44-77f2-934e-7884410caf2e.jsonl',
  'deep path': '/home/dev/shop/packages/checkout-service/src/components/CartSummaryPanel.tsx',
  'hashed asset': 'dist/assets/index-BCNZS4Ap.js',
  'temporary folder': '/tmp/hookline-client-zrShbk/project',
  'small png':
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'large png': `{"type":"image","base64":"iVBORw0KGgo${random(86, 4000)}"}`,
  'svg in a page': `url(data:image/svg+xml;base64,PHN2Z${random(87, 400)})`,
  'public ssh key':
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl dev@host',
  'long name': 'createRulesHandlerFromConfigurationFile2',
  constant: 'MAX_CONCURRENT_UPLOADS_PER_CONNECTION_V2',
  'model name': 'claude-sonnet-4-5-20250929',
  version: 'node-v20.19.0-linux-x64',
  timestamp: '2026-11-15T18:45:38.732Z',
  number: '12345678901234567890',
  'a sentence': 'Please explain the secret handshake, the token bucket and the key exchange.',
};
