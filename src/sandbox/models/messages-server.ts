import * as v from 'valibot';
import type { Block, ModelServer, Step } from '../script.ts';
import { type Content, messageOf, streamOf } from './messages.ts';
import { type ModelApi, startModel } from './server.ts';

const MessagesRequest = v.looseObject({
  model: v.string(),
  stream: v.optional(v.boolean(), false),
  system: v.optional(v.unknown()),
  messages: v.array(v.looseObject({ role: v.string(), content: v.unknown() })),
  tools: v.optional(v.array(v.unknown()), []),
});
const Blocks = v.array(v.looseObject({ type: v.string() }));
type MessagesRequest = v.InferOutput<typeof MessagesRequest>;

/** The Messages API. */
const api: ModelApi<MessagesRequest> = {
  read: (path, body) =>
    path === '/v1/messages' && v.is(MessagesRequest, body) ? v.parse(MessagesRequest, body) : null,
  // Titles, topics and other small questions come without tools; the agent's own loop always has some.
  stepOf: ({ tools, messages }) =>
    tools.length > 0 ? messages.filter((message) => message.role === 'assistant').length : null,
  aside: 'ok',
  answer: ({ model, stream }, blocks, id) => {
    const content = blocks.map((block, index) => contentOf(block, `toolu_${id}_${index}`));
    return stream
      ? { events: streamOf(`msg_${id}`, model, content) }
      : { whole: messageOf(`msg_${id}`, model, content) };
  },
  other: (path) => (path.endsWith('/count_tokens') ? { input_tokens: 1 } : {}),
  told: ({ system, messages }) => [system, messages],
  results: ({ messages }) => {
    const last = messages.findLast((message) => message.role === 'user');
    return v.is(Blocks, last?.content) ? last.content.flatMap(resultOf) : [];
  },
};

export function startMessagesServer(script: readonly Step[]): Promise<ModelServer> {
  return startModel(api, script);
}

function resultOf(block: { readonly type: string; readonly content?: unknown }): string[] {
  if (block.type !== 'tool_result') return [];
  return [typeof block.content === 'string' ? block.content : JSON.stringify(block.content)];
}

function contentOf(block: Block, id: string): Content {
  return 'text' in block
    ? { type: 'text', text: block.text }
    : { type: 'tool_use', id, name: block.tool, input: block.input };
}
