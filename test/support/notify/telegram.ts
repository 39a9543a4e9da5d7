import { listenOnLoopback, readBody } from '../../../src/sandbox/loopback-server.ts';

interface Button {
  readonly text: string;
  readonly callback_data?: string;
}

interface SentMessage {
  readonly id: number;
  text: string;
  buttons: readonly Button[];
}

interface Body {
  readonly chat_id: number;
  readonly text: string;
  readonly message_id: number;
  readonly reply_markup?: { readonly inline_keyboard: readonly (readonly Button[])[] };
  readonly offset: number;
  readonly timeout: number;
}

/** As much of Telegram's Bot API as a bot with buttons uses. */
export async function startTelegram(token: string) {
  const { server, url, close } = await listenOnLoopback();
  const { messages, said, methods } = createChat();
  const { getUpdates, add } = createUpdates();
  server.on('request', async (request, response) => {
    const body: Body = JSON.parse(await readBody(request));
    const [, bot, method = ''] = (request.url ?? '').split('/');
    if (bot !== `bot${token}`) return void response.writeHead(401).end('{"ok":false,"error_code":401}');
    const result = method === 'getUpdates' ? await getUpdates(body) : (methods[method]?.(body) ?? null);
    response.writeHead(result === null ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ok: result !== null, result }));
  });
  return {
    url,
    close,
    messages,
    /** Replies to pressed buttons. */
    said,
    press(message: SentMessage, label: string, { chat = 42, from = 7 } = {}): void {
      const data = message.buttons.find(({ text }) => text === label)?.callback_data ?? '';
      const user = { id: from, username: 'dora' };
      add({ callback_query: { id: 'q', from: user, message: { chat: { id: chat } }, data } });
    },
  };
}

function createChat() {
  const messages: SentMessage[] = [];
  const said: string[] = [];
  const methods: Readonly<Record<string, (body: Body) => unknown>> = {
    sendMessage({ chat_id, text, reply_markup }) {
      const buttons = reply_markup?.inline_keyboard.flat() ?? [];
      if (buttons.some(({ callback_data = '' }) => Buffer.byteLength(callback_data) > 64)) return null;
      messages.push({ id: messages.length + 1, text, buttons });
      return { message_id: messages.length, chat: { id: chat_id }, text };
    },
    editMessageText({ message_id, text }) {
      const message = messages.find(({ id }) => id === message_id);
      if (!message) return null;
      Object.assign(message, { text, buttons: [] });
      return { message_id };
    },
    answerCallbackQuery({ text }) {
      said.push(text);
      return true;
    },
  };
  return { messages, said, methods };
}

/** Held until there is one, as long as the bot is willing to wait. */
function createUpdates() {
  const updates: { readonly update_id: number }[] = [];
  const polls = new Set<() => void>();
  return {
    async getUpdates({ offset, timeout }: Body): Promise<unknown> {
      const found = () => updates.filter(({ update_id }) => update_id >= offset);
      if (found().length === 0 && timeout > 0) await new Promise<void>((resolve) => polls.add(resolve));
      return found();
    },
    add(update: object): void {
      updates.push({ update_id: updates.length + 100, ...update });
      for (const go of polls) go();
      polls.clear();
    },
  };
}
