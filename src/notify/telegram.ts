import * as v from 'valibot';
import { type AnswerCard, type AnswerChannel, type GivenAnswer, isElsewhere } from './channel.ts';
import { postJson } from './requests.ts';

interface TelegramParts {
  readonly server: string;
  readonly token: string;
  readonly chat: number;
  readonly users: readonly number[];
}

const reply = v.looseObject({ ok: v.boolean(), result: v.unknown() });
const sentMessage = v.looseObject({ message_id: v.number() });
const update = v.looseObject({
  update_id: v.number(),
  callback_query: v.optional(
    v.looseObject({
      id: v.string(),
      from: v.looseObject({ id: v.number(), username: v.optional(v.string()) }),
      message: v.optional(v.looseObject({ chat: v.looseObject({ id: v.number() }) })),
      data: v.optional(v.string(), ''),
    }),
  ),
});
type Query = NonNullable<v.InferOutput<typeof update>['callback_query']>;

/** How long the server holds a request for updates. */
const POLL_SECONDS = 25;
const POLL_DEADLINE_MS = (POLL_SECONDS + 15) * 1_000;

type Call = (method: string, body: object, signal: AbortSignal, deadlineMs?: number) => Promise<unknown>;

/** The methods of a bot. The URL contains its token, so no error may show it. */
function botOf({ server, token }: TelegramParts): Call {
  const root = `${server.replace(/\/+$/, '')}/bot${token}`;
  return async (method, body, signal, deadlineMs) => {
    const deadline = deadlineMs === undefined ? {} : { deadlineMs };
    const said = await postJson(`${root}/${method}`, body, { who: 'Telegram', signal, ...deadline });
    const parsed = v.safeParse(reply, said);
    if (!parsed.success || !parsed.output.ok) throw new Error(`Telegram refused ${method}`);
    return parsed.output.result;
  };
}

/** A bot that writes to one chat and polls for button presses, so this machine needs no open port. */
export function telegramChannel(parts: TelegramParts): AnswerChannel {
  const { chat } = parts;
  const call = botOf(parts);
  /** Sent messages by approval ID, to change them later. */
  const sent = new Map<string, { readonly message: number; readonly text: string }>();
  let offset = 0;

  const say = (text: string, more: object, signal: AbortSignal) =>
    call(
      'sendMessage',
      { chat_id: chat, text, link_preview_options: { is_disabled: true }, ...more },
      signal,
    );

  return {
    name: 'Telegram',
    async send(card, signal) {
      const text = `${card.title}\n\n${card.text}`;
      const said = await say(text, { reply_markup: { inline_keyboard: keyboardOf(card) } }, signal);
      const parsed = v.safeParse(sentMessage, said);
      if (parsed.success) sent.set(card.id, { message: parsed.output.message_id, text });
    },
    async settled(id, words, signal) {
      const card = sent.get(id);
      if (!card) return;
      // Without a keyboard, the existing one is removed.
      const text = `${card.text}\n\n${words}`;
      await call('editMessageText', { chat_id: chat, message_id: card.message, text }, signal);
      sent.delete(id);
    },
    tell: async ({ title, text }, signal) => void (await say(`${title}\n${text}`, {}, signal)),
    async answers(take, connected, signal) {
      for (let isFirst = true; !signal.aborted; isFirst = false) {
        const body = { offset, timeout: isFirst ? 0 : POLL_SECONDS, allowed_updates: ['callback_query'] };
        const updates = v.parse(v.array(update), await call('getUpdates', body, signal, POLL_DEADLINE_MS));
        connected();
        for (const { update_id, callback_query: query } of updates) {
          offset = update_id + 1;
          if (!query) continue;
          const { words: text } = take(answerOf(query, parts));
          // The decision counts even if this isn't delivered.
          void call('answerCallbackQuery', { callback_query_id: query.id, text }, signal).catch(() => {});
        }
      }
    },
  };
}

function answerOf({ from, message, data }: Query, { chat, users }: TelegramParts): GivenAnswer {
  const stranger =
    message?.chat.id !== chat
      ? 'it came from a chat that is not the configured one'
      : users.length > 0 && !users.includes(from.id)
        ? `user ${from.id} may not answer`
        : null;
  return {
    text: data,
    from: from.username === undefined ? `user ${from.id}` : `@${from.username}`,
    stranger,
  };
}

function keyboardOf({ allow, deny, open }: AnswerCard): readonly (readonly object[])[] {
  const answers = [
    ...(allow === null ? [] : [{ text: 'Allow once', callback_data: allow }]),
    { text: 'Deny', callback_data: deny },
  ];
  return [answers, ...(isElsewhere(open) ? [[{ text: 'Open', url: open }]] : [])];
}
