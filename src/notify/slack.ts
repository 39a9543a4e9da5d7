import * as v from 'valibot';
import { WebSocket } from 'ws';
import { parseJson } from '../model/json.ts';
import { type AnswerCard, type AnswerChannel, type GivenAnswer, isElsewhere } from './channel.ts';
import { createDuplicateCheck, createIdleTimeout, postJson } from './requests.ts';

interface SlackParts {
  readonly server: string;
  readonly appToken: string;
  readonly botToken: string;
  readonly channel: string;
  readonly users: readonly string[];
}

const reply = v.looseObject({ ok: v.boolean(), error: v.optional(v.string()) });
const opened = v.looseObject({ url: v.pipe(v.string(), v.regex(/^wss?:\/\//)) });
const posted = v.looseObject({ ts: v.string() });
const envelope = v.looseObject({
  type: v.string(),
  envelope_id: v.optional(v.string()),
  payload: v.optional(v.unknown()),
});
const pressed = v.looseObject({
  type: v.literal('block_actions'),
  user: v.looseObject({ id: v.string(), username: v.optional(v.string()) }),
  channel: v.optional(v.looseObject({ id: v.string() })),
  actions: v.array(v.looseObject({ action_id: v.string(), value: v.optional(v.string()) })),
});

/** Slack pings more often than that. */
const IDLE_MS = 120_000;
/** No envelope is longer; the next one is read only after this one. */
const LONGEST_ENVELOPE = 1 << 18;
const MOST_REMEMBERED = 500;
const LONGEST_ERROR = 200;

type Call = (method: string, token: string, body: object, signal: AbortSignal) => Promise<unknown>;

function apiOf(server: string): Call {
  const root = server.replace(/\/+$/, '');
  return async (method, token, body, signal) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' };
    const said = await postJson(`${root}/${method}`, body, { who: 'Slack', headers, signal });
    const parsed = v.safeParse(reply, said);
    if (!parsed.success || !parsed.output.ok)
      throw new Error(
        `Slack refused ${method}${parsed.success ? `: ${parsed.output.error?.slice(0, LONGEST_ERROR)}` : ''}`,
      );
    return said;
  };
}

/** An app in Socket Mode: we open the connection on which button presses arrive. */
export function slackChannel(parts: SlackParts): AnswerChannel {
  const { server, appToken, botToken, channel } = parts;
  const call = apiOf(server);
  const sent = new Map<string, { readonly ts: string; readonly card: AnswerCard }>();
  return {
    name: 'Slack',
    async send(card, signal) {
      const body = { channel, text: escaped(card.title), blocks: [...shownBlocks(card), buttonsOf(card)] };
      const parsed = v.safeParse(posted, await call('chat.postMessage', botToken, body, signal));
      if (parsed.success) sent.set(card.id, { ts: parsed.output.ts, card });
    },
    async settled(id, words, signal) {
      const one = sent.get(id);
      if (!one) return;
      const blocks = [...shownBlocks(one.card), section(words)];
      await call('chat.update', botToken, { channel, ts: one.ts, text: escaped(words), blocks }, signal);
      sent.delete(id);
    },
    async tell({ title, text }, signal) {
      const body = { channel, text: escaped(title), blocks: [section(title), section(text)] };
      await call('chat.postMessage', botToken, body, signal);
    },
    async answers(take, connected, signal) {
      const { url } = v.parse(opened, await call('apps.connections.open', appToken, {}, signal));
      if (server.startsWith('https:') && !url.startsWith('wss:'))
        throw new Error('Slack gave an address that is not encrypted');
      await listenOn(url, connected, signal, (payload) => {
        for (const answer of answersIn(payload, parts)) take(answer);
      });
    },
  };
}

/** The answers in a payload, if it came from one of our buttons. */
function answersIn(payload: unknown, { channel, users }: SlackParts): readonly GivenAnswer[] {
  const parsed = v.safeParse(pressed, payload);
  if (!parsed.success) return [];
  const { user, channel: place, actions } = parsed.output;
  const stranger =
    place?.id !== channel
      ? 'it came from a channel that is not the configured one'
      : users.length > 0 && !users.includes(user.id)
        ? `user ${user.id} may not answer`
        : null;
  return actions
    .filter(({ action_id }) => action_id === 'allow' || action_id === 'deny')
    .map(({ value = '' }) => ({ text: value, from: `@${user.username ?? user.id}`, stranger }));
}

/** Resolves when the connection ends, which Slack does now and then. */
function listenOn(
  url: string,
  connected: () => void,
  signal: AbortSignal,
  hear: (payload: unknown) => void,
): Promise<void> {
  const seen = createDuplicateCheck(MOST_REMEMBERED);
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, {
      followRedirects: false,
      handshakeTimeout: 10_000,
      // Without this, a few bytes could expand to very many in memory.
      perMessageDeflate: false,
      maxPayload: LONGEST_ENVELOPE,
    });
    const end = () => socket.terminate();
    const idle = createIdleTimeout(IDLE_MS, { destroy: end });
    signal.addEventListener('abort', end);
    socket.on('ping', idle.heard);
    socket.on('error', reject);
    socket.on('close', () => {
      idle.stop();
      signal.removeEventListener('abort', end);
      resolve();
    });
    socket.on('message', (data) => {
      idle.heard();
      const parsed = v.safeParse(envelope, parseJson(String(data)));
      if (!parsed.success) return;
      const { type, envelope_id, payload } = parsed.output;
      if (type === 'hello') connected();
      if (type === 'disconnect') socket.close();
      if (envelope_id === undefined) return;
      socket.send(JSON.stringify({ envelope_id }));
      // An envelope not acknowledged in time is delivered again.
      if (type === 'interactive' && !seen(envelope_id)) hear(payload);
    });
    if (signal.aborted) end();
  });
}

/** Plain text, so that a command can't contain a mention or a link. */
function section(text: string): object {
  return { type: 'section', text: { type: 'plain_text', text, emoji: false } };
}

function shownBlocks({ title, text }: AnswerCard): readonly object[] {
  return [section(title), section(text)];
}

function buttonsOf({ allow, deny, open }: AnswerCard): object {
  const button = (action_id: string, label: string, more: object) => ({
    type: 'button',
    action_id,
    text: { type: 'plain_text', text: label },
    ...more,
  });
  return {
    type: 'actions',
    elements: [
      ...(allow === null ? [] : [button('allow', 'Allow once', { value: allow })]),
      button('deny', 'Deny', { value: deny, style: 'danger' }),
      ...(isElsewhere(open) ? [button('open', 'Open', { url: open })] : []),
    ],
  };
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
