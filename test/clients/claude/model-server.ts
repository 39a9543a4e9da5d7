import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { listenOnLoopback, readBody } from '../loopback-server.ts';
import { blocksOf, type ModelRequest, type ModelServer, type Step } from '../script.ts';
import { type Content, messageOf, streamOf } from './messages.ts';

const MessagesRequest = v.looseObject({
  model: v.string(),
  stream: v.optional(v.boolean(), false),
  system: v.optional(v.unknown()),
  messages: v.array(v.looseObject({ role: v.string(), content: v.unknown() })),
  tools: v.optional(v.array(v.unknown()), []),
});
const Blocks = v.array(v.looseObject({ type: v.string() }));
type MessagesRequest = v.InferOutput<typeof MessagesRequest>;

/** The Messages API, as far as a client in a scripted turn uses it. */
export async function startMessagesServer(script: readonly Step[]): Promise<ModelServer> {
  const { server, url, close } = await listenOnLoopback();
  const requests: ModelRequest[] = [];
  const missingSteps: number[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').replace(/\?.*/, '');
    const body = parsed(await readBody(request));
    const messages = path === '/v1/messages' ? v.safeParse(MessagesRequest, body) : null;
    const step = messages?.success && inMainLoop(messages.output) ? assistantTurns(messages.output) : null;
    requests.push({ method: request.method ?? '', path, body, step });
    if (path.endsWith('/count_tokens')) return sendJson(response, { input_tokens: 1 });
    if (!messages?.success) return sendJson(response, {});
    if (step !== null && script[step] === undefined) missingSteps.push(step);
    const id = `msg_${requests.length}`;
    const content = contentOf(step, step === null ? undefined : script[step]);
    if (!messages.output.stream) return sendJson(response, messageOf(id, messages.output.model, content));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(streamOf(id, messages.output.model, content));
  };
  server.on('request', (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  const asked = (step: number): MessagesRequest | undefined => {
    const request = requests.findLast((each) => each.step === step);
    return request && v.parse(MessagesRequest, request.body);
  };
  return {
    url,
    requests,
    missingSteps,
    told: (step) => {
      const request = asked(step);
      return request && JSON.stringify([request.system, request.messages]);
    },
    results: (step) => {
      const last = asked(step)?.messages.findLast((message) => message.role === 'user');
      return v.is(Blocks, last?.content) ? last.content.flatMap(resultOf) : [];
    },
    close,
  };
}

function resultOf(block: { readonly type: string; readonly content?: unknown }): string[] {
  if (block.type !== 'tool_result') return [];
  return [typeof block.content === 'string' ? block.content : JSON.stringify(block.content)];
}

// Titles, topics and other small questions come without tools; the agent's own loop always has some.
function inMainLoop(request: MessagesRequest): boolean {
  return request.tools.length > 0;
}

function assistantTurns(request: MessagesRequest): number {
  return request.messages.filter((message) => message.role === 'assistant').length;
}

function contentOf(step: number | null, scripted: Step | undefined): Content[] {
  if (step === null) return [{ type: 'text', text: 'ok' }];
  if (scripted === undefined) return [{ type: 'text', text: `The script has no step ${step}.` }];
  return blocksOf(scripted).map((block, index) =>
    'text' in block
      ? { type: 'text', text: block.text }
      : { type: 'tool_use', id: `toolu_step${step}_${index}`, name: block.tool, input: block.input },
  );
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
