import * as v from 'valibot';
import { parseJson } from '../model/json.ts';
import type { AnswerCard, AnswerChannel, GivenAnswer, Taken } from './channel.ts';
import type { Notice } from './notice.ts';
import { createDuplicateCheck, createIdleTimeout, openRequest, postJson } from './requests.ts';
import type { Topics } from './secrets.ts';

interface NtfyParts {
  readonly server: string;
  readonly topics: Topics;
  readonly token: string | null;
  /** Included in the buttons. */
  readonly replyToken: string | null;
  /** The server sends a keepalive every 45 s. */
  readonly idleMs?: number;
}

const published = v.looseObject({ time: v.number() });
const line = v.looseObject({
  id: v.string(),
  time: v.number(),
  event: v.string(),
  message: v.optional(v.string(), ''),
});

const IDLE_MS = 130_000;
/** No message is longer with the default server settings. */
const LONGEST_LINE = 1 << 18;
const MOST_REMEMBERED = 500;

const bearer = (token: string | null): Readonly<Record<string, string>> =>
  token === null ? {} : { authorization: `Bearer ${token}` };

/** How far the answers were read, so that a reconnection continues there. */
interface Reading {
  /** ID of the last answer, or the server's time if there was none. */
  since: string | null;
  /** True if this ID was seen before. */
  readonly seen: (id: string) => boolean;
}

/**
 * Any ntfy server. A button posts its answer to the reply topic on the same server, to which we listen, so this
 * machine needs no open port. Sent messages can't be changed.
 */
export function ntfyChannel(parts: NtfyParts): AnswerChannel {
  const { server, topics, token, replyToken, idleMs = IDLE_MS } = parts;
  const root = server.replace(/\/+$/, '');
  const replyUrl = `${root}/${topics.replyTopic}`;
  const reading: Reading = { since: null, seen: createDuplicateCheck(MOST_REMEMBERED) };

  async function publish(message: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void> {
    const body = { topic: topics.topic, ...message };
    const said = await postJson(`${root}/`, body, { who: 'the ntfy server', headers: bearer(token), signal });
    const parsed = v.safeParse(published, said);
    if (parsed.success) reading.since ??= String(parsed.output.time);
  }

  return {
    name: 'ntfy',
    send: (card, signal) =>
      publish({ ...messageOf(card), actions: actionsOf(card, replyUrl, replyToken) }, signal),
    tell: ({ title, text, occasion }: Notice, signal) =>
      publish(
        { title, message: text, priority: 3, tags: [occasion === 'failure' ? 'warning' : 'hook'] },
        signal,
      ),
    async answers(take, connected, signal) {
      const query = reading.since === null ? '' : `?since=${encodeURIComponent(reading.since)}`;
      const asking = { who: 'the ntfy server', method: 'GET', headers: bearer(token), signal } as const;
      const response = await openRequest(`${replyUrl}/json${query}`, asking);
      const idle = createIdleTimeout(idleMs, response);
      try {
        for await (const text of linesOf(response, idle.heard)) read(text, reading, take, connected);
      } finally {
        idle.stop();
      }
    },
  };
}

function read(
  text: string,
  reading: Reading,
  take: (given: GivenAnswer) => Taken,
  connected: () => void,
): void {
  const parsed = v.safeParse(line, parseJson(text));
  if (!parsed.success) return;
  const { event, id, time, message } = parsed.output;
  if (event === 'open') {
    reading.since ??= String(time);
    connected();
  }
  if (event !== 'message') return;
  reading.since = id;
  // The server may deliver the same message twice around a reconnection.
  if (!reading.seen(id)) take(answer(message));
}

const answer = (text: string): GivenAnswer => ({ text, from: null, stranger: null });

function messageOf({ title, text }: AnswerCard): Readonly<Record<string, unknown>> {
  return { title, message: text, priority: 4, tags: ['raised_hand'] };
}

function actionsOf({ allow, deny, open }: AnswerCard, url: string, token: string | null): readonly object[] {
  const button = (label: string, body: string) => ({
    action: 'http',
    label,
    url,
    method: 'POST',
    headers: bearer(token),
    body,
    clear: true,
  });
  return [
    ...(allow === null ? [] : [button('Allow once', allow)]),
    button('Deny', deny),
    { action: 'view', label: 'Open', url: open },
  ];
}

async function* linesOf(body: AsyncIterable<Uint8Array>, heard: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    heard();
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new Error('the ntfy server sends a line that does not end');
    yield* parts;
  }
}
