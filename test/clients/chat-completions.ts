import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { listenOnLoopback, readBody } from './loopback-server.ts';
import { type Block, blocksOf, type ModelRequest, type ModelServer, type Step } from './script.ts';

const Message = v.looseObject({ role: v.string(), content: v.optional(v.unknown()) });
/** A custom one takes a text instead of arguments. */
const Tool = v.looseObject({ type: v.string(), custom: v.optional(v.looseObject({ name: v.string() })) });
const ChatRequest = v.looseObject({
  messages: v.array(Message),
  tools: v.optional(v.array(Tool), []),
  stream: v.optional(v.boolean(), false),
});
type ChatRequest = v.InferOutput<typeof ChatRequest>;

/** The chat completions API, which several clients speak, as far as a scripted turn uses it. */
export async function startChatServer(script: readonly Step[]): Promise<ModelServer> {
  const { server, url, close } = await listenOnLoopback();
  const requests: ModelRequest[] = [];
  const missingSteps: number[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').replace(/\?.*/, '');
    const body = parsed(await readBody(request));
    const asked = path.endsWith('/chat/completions') ? v.safeParse(ChatRequest, body) : null;
    // Titles, suggestions and summaries come without tools.
    const inLoop = asked?.success && asked.output.tools.length > 0;
    const step = inLoop ? assistantTurns(asked.output) : null;
    requests.push({ method: request.method ?? '', path, body, step });
    if (!asked?.success) return sendJson(response, { object: 'list', data: [] });
    if (step !== null && script[step] === undefined) missingSteps.push(step);
    const blocks = scripted(step, script);
    const toolCalls = toolCallsOf(blocks, asked.output);
    if (!asked.output.stream) return sendJson(response, completion(blocks, toolCalls));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(streamOf(blocks, toolCalls));
  };
  server.on('request', (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  const askedFor = (step: number): ChatRequest | undefined => {
    const request = requests.findLast((each) => each.step === step);
    return request && v.parse(ChatRequest, request.body);
  };
  return {
    url,
    requests,
    missingSteps,
    told: (step) => {
      const request = askedFor(step);
      return request && JSON.stringify(request.messages);
    },
    results: (step) => {
      const messages = askedFor(step)?.messages ?? [];
      const last = messages.findLastIndex(({ role }) => role === 'assistant');
      return messages
        .slice(last + 1)
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
    },
    close,
  };
}

function assistantTurns({ messages }: ChatRequest): number {
  return messages.filter(({ role }) => role === 'assistant').length;
}

function scripted(step: number | null, script: readonly Step[]): readonly Block[] {
  if (step === null) return [{ text: 'ok' }];
  return blocksOf(script[step] ?? `The script has no step ${step}.`);
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

const USAGE = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 };

function completion(blocks: readonly Block[], toolCalls: readonly object[]): object {
  const message = {
    role: 'assistant',
    content: textOf(blocks),
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  const finish_reason = toolCalls.length > 0 ? 'tool_calls' : 'stop';
  return {
    id: 'c',
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason }],
    usage: USAGE,
  };
}

/** The same answer as server-sent events. */
function streamOf(blocks: readonly Block[], toolCalls: readonly object[]): string {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const chunks: object[] = [
    chunk({ role: 'assistant', content: textOf(blocks) }),
    ...(toolCalls.length > 0 ? [chunk({ tool_calls: toolCalls })] : []),
    chunk({}, toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    { id: 'c', object: 'chat.completion.chunk', choices: [], usage: USAGE },
  ];
  return `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
