import * as v from 'valibot';

/** A secret, or where to find it: preferably not in a file that agents may read. */
export type Secret = string | { readonly env: string } | { readonly file: string };

/** How much of an approval leaves this machine: only that one is pending, its agent and project, or everything. */
const DETAILS = ['none', 'title', 'full'] as const;
export type Detail = (typeof DETAILS)[number];

export interface NtfySettings {
  readonly server: string;
  /** Generated for this home if omitted. */
  readonly topic: string | null;
  readonly replyTopic: string | null;
  readonly token: Secret | null;
  /** Included in the buttons, so it should grant only write access to the reply topic. */
  readonly replyToken: Secret | null;
  readonly detail: Detail;
}

export interface TelegramSettings {
  readonly server: string;
  readonly token: Secret;
  /** Messages go only there, and answers count only from there. */
  readonly chat: number;
  /** Restricts answers to these members; empty for all of them. */
  readonly users: readonly number[];
  readonly detail: Detail;
}

export interface SlackSettings {
  readonly server: string;
  /** Opens the connection: `xapp-…`. */
  readonly appToken: Secret;
  /** Sends messages: `xoxb-…`. */
  readonly botToken: Secret;
  readonly channel: string;
  readonly users: readonly string[];
  readonly detail: Detail;
}

const text = v.pipe(v.string(), v.nonEmpty('must not be empty'));
const secret = v.union(
  [text, v.strictObject({ env: text }), v.strictObject({ file: text })],
  'must be a text, {env: NAME} or {file: PATH}',
);
const address = v.pipe(
  v.string(),
  v.url('must be an address'),
  v.regex(/^https?:/, 'must begin with https:// or http://'),
);
const topic = v.pipe(
  v.string(),
  v.regex(/^[-_A-Za-z0-9]{1,64}$/, 'must be up to 64 letters, digits, - and _'),
);
const detail = v.optional(v.picklist(DETAILS, 'must be none, title or full'), 'full');

export const ntfySettings: v.GenericSchema<unknown, NtfySettings> = v.pipe(
  v.strictObject({
    server: v.optional(address, 'https://ntfy.sh'),
    topic: v.optional(v.nullable(topic), null),
    replyTopic: v.optional(v.nullable(topic), null),
    token: v.optional(v.nullable(secret), null),
    replyToken: v.optional(v.nullable(secret), null),
    detail,
  }),
  v.check(
    (one) => one.topic === null || one.topic !== one.replyTopic,
    'topic and replyTopic must not be the same',
  ),
);

export const telegramSettings: v.GenericSchema<unknown, TelegramSettings> = v.strictObject({
  server: v.optional(address, 'https://api.telegram.org'),
  token: secret,
  chat: v.pipe(v.number('must be the number of a chat'), v.integer()),
  users: v.optional(v.array(v.pipe(v.number(), v.integer())), []),
  detail,
});

export const slackSettings: v.GenericSchema<unknown, SlackSettings> = v.strictObject({
  server: v.optional(address, 'https://slack.com/api'),
  appToken: secret,
  botToken: secret,
  channel: text,
  users: v.optional(v.array(text), []),
  detail,
});
