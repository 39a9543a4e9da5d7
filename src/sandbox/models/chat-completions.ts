import * as v from 'valibot';
import type { Block, ModelServer, Step } from '../script.ts';
import { type ModelApi, startModel } from './server.ts';

const Message = v.looseObject({ role: v.string(), content: v.optional(v.unknown()) });
/** A custom tool takes a text instead of arguments. */
const Tool = v.looseObject({ type: v.string(), custom: v.optional(v.looseObject({ name: v.string() })) });
const ChatRequest = v.looseObject({
  messages: v.array(Message),
  tools: v.optional(v.array(Tool), []),
  stream: v.optional(v.boolean(), false),
});
type ChatRequest = v.InferOutput<typeof ChatRequest>;

/** The chat completions API, which several clients use. `aside` matches a question that is not a step of the agent. */
const apiWith = (aside: RegExp | null): ModelApi<ChatRequest> => ({
  read: (path, body) =>
    path.endsWith('/chat/completions') && v.is(ChatRequest, body) ? v.parse(ChatRequest, body) : null,
  // Titles, suggestions and summaries come without tools.
  stepOf: ({ tools, messages }) =>
    tools.length > 0 && !aside?.test(JSON.stringify(messages.at(-1)?.content))
      ? messages.filter(({ role }) => role === 'assistant').length
      : null,
  aside: 'ok',
  answer: (request, blocks) => {
    const toolCalls = toolCallsOf(blocks, request);
    return request.stream
      ? { events: streamOf(blocks, toolCalls) }
      : { whole: completion(blocks, toolCalls) };
  },
  other: () => ({ object: 'list', data: [] }),
  told: ({ messages }) => messages,
  results: ({ messages }) => {
    const last = messages.findLastIndex(({ role }) => role === 'assistant');
    return messages
      .slice(last + 1)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
  },
});

export function startChatServer(script: readonly Step[], aside: RegExp | null = null): Promise<ModelServer> {
  return startModel(apiWith(aside), script);
}

function textOf(blocks: readonly Block[]): string {
  return blocks.map((block) => ('text' in block ? block.text : '')).join('');
}

let calls = 0;

/** The text of a custom tool is its only argument. */
function toolCallsOf(blocks: readonly Block[], { tools }: ChatRequest): readonly object[] {
  const custom = new Set(tools.map((tool) => tool.custom?.name));
  return blocks
    .filter((block) => 'tool' in block)
    .map(({ tool, input }, index) => ({
      index,
      id: `call_${++calls}`,
      ...(custom.has(tool)
        ? { type: 'custom', custom: { name: tool, input: Object.values(input).join('') } }
        : { type: 'function', function: { name: tool, arguments: JSON.stringify(input) } }),
    }));
}

/** Some clients reject an answer without a time and a model. */
const HEAD = { id: 'c', created: 1, model: 'scripted' };
const USAGE = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 };

function completion(blocks: readonly Block[], toolCalls: readonly object[]): object {
  const message = {
    role: 'assistant',
    content: textOf(blocks),
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  const finish_reason = toolCalls.length > 0 ? 'tool_calls' : 'stop';
  return {
    ...HEAD,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason }],
    usage: USAGE,
  };
}

/** The same answer as server-sent events. */
function streamOf(blocks: readonly Block[], toolCalls: readonly object[]): string {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...HEAD,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const chunks: object[] = [
    chunk({ role: 'assistant', content: textOf(blocks) }),
    ...(toolCalls.length > 0 ? [chunk({ tool_calls: toolCalls })] : []),
    chunk({}, toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    { ...HEAD, object: 'chat.completion.chunk', choices: [], usage: USAGE },
  ];
  return `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`;
}
