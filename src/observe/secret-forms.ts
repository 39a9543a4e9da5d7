/**
 * Secrets by their form. Each pattern stays within characters that JSON does not escape, so that redacting the
 * serialised text cannot break it.
 */
export const FORMS: readonly (readonly [kind: string, pattern: string])[] = [
  ['anthropic-key', 'sk-ant-[A-Za-z0-9_-]{16,}'],
  ['openai-key', 'sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}'],
  ['github-token', '(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})'],
  ['gitlab-token', 'gl(?:pat|ptt|dt|rt|cbt|soat)-[A-Za-z0-9_-]{20,}'],
  ['aws-key-id', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}'],
  ['google-key', 'AIza[A-Za-z0-9_-]{35}'],
  ['google-client-secret', 'GOCSPX-[A-Za-z0-9_-]{28}'],
  ['google-token', 'ya29\\.[A-Za-z0-9_-]{20,}'],
  ['slack-token', '(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}'],
  ['slack-webhook', 'hooks\\.slack\\.com/services/T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{20,}'],
  ['discord-webhook', 'discord(?:app)?\\.com/api/webhooks/\\d{16,}/[A-Za-z0-9_-]{40,}'],
  ['discord-token', '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}'],
  ['stripe-key', '[rs]k_(?:live|test)_[A-Za-z0-9]{20,}'],
  ['stripe-webhook', 'whsec_[A-Za-z0-9]{24,}'],
  ['npm-token', 'npm_[A-Za-z0-9]{36}'],
  ['pypi-token', 'pypi-AgE[A-Za-z0-9_-]{40,}'],
  ['rubygems-key', 'rubygems_[a-f0-9]{48}'],
  ['docker-token', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}'],
  ['jwt', 'eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}'],
  ['sendgrid-key', 'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{32,}'],
  ['twilio-key', 'SK[0-9a-f]{32}'],
  ['mailgun-key', 'key-[0-9a-f]{32}'],
  ['mailchimp-key', '[0-9a-f]{32}-us\\d{1,2}'],
  ['telegram-token', '\\d{8,10}:AA[A-Za-z0-9_-]{33}'],
  ['azure-key', 'AccountKey=[A-Za-z0-9+/]{80,}={0,2}'],
  ['azure-secret', '[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}'],
  ['digitalocean-token', 'do[oprt]_v1_[a-f0-9]{64}'],
  ['heroku-key', 'HRKU-[A-Za-z0-9_-]{36,}'],
  ['databricks-token', 'dapi[0-9a-f]{32}'],
  ['huggingface-token', 'hf_[A-Za-z0-9]{30,}'],
  ['replicate-token', 'r8_[A-Za-z0-9]{30,}'],
  ['groq-key', 'gsk_[A-Za-z0-9]{40,}'],
  ['perplexity-key', 'pplx-[A-Za-z0-9]{40,}'],
  ['xai-key', 'xai-[A-Za-z0-9]{40,}'],
  ['linear-key', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,}'],
  ['notion-token', '(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})'],
  ['figma-token', 'figd_[A-Za-z0-9_-]{36,}'],
  ['airtable-token', 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}'],
  ['atlassian-token', 'ATATT3[A-Za-z0-9_=-]{50,}'],
  ['shopify-token', 'shp(?:at|ss|ca|pa)_[0-9a-fA-F]{32}'],
  ['square-token', '(?:sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}|EAAA[A-Za-z0-9_-]{56,})'],
  ['postman-key', 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'],
  ['newrelic-key', 'NR(?:AK|II|RA)-[A-Za-z0-9_-]{25,}'],
  ['grafana-token', '(?:glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/=]{32,})'],
  ['sentry-token', 'sntry[su]_[A-Za-z0-9+/=_-]{40,}'],
  ['vault-token', 'hv[sbr]\\.[A-Za-z0-9_-]{24,}'],
  ['terraform-token', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,}'],
  ['doppler-token', 'dp\\.(?:pt|st|ct|sa)\\.[A-Za-z0-9._-]{40,}'],
  ['pulumi-token', 'pul-[0-9a-f]{40}'],
  ['planetscale-token', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_-]{32,}'],
  ['supabase-key', 'sb(?:p_[0-9a-f]{40}|_secret_[A-Za-z0-9_-]{30,})'],
  ['age-key', 'AGE-SECRET-KEY-1[A-Z0-9]{58}'],
];

// In serialised text the letter of a line break stands right before what the line begins with.
const BEGIN = '(?:(?<![A-Za-z0-9_])|(?<=\\\\[nrtbf]))';

export const ANY_FORM: RegExp = new RegExp(
  `${BEGIN}(?:${FORMS.map(([, pattern]) => `(${pattern})`).join('|')})`,
  'g',
);

/** For `replace` with `ANY_FORM`. */
export function kindOf(...groups: unknown[]): string {
  return `[redacted:${FORMS[groups.slice(1).findIndex(Boolean)]?.[0] ?? 'secret'}]`;
}

/** A key goes whole, also when it was cut off: to the end of the string that it stands in. */
export const PRIVATE_KEY =
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[^"]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|(?=")|$)/g;
