import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { listenOnLoopback, readBody } from '../loopback-server.ts';
import { blocksOf, type ModelRequest, type ModelServer, type Step } from '../script.ts';
import { answerOf, type Part, partOf, streamOf } from './generate-content.ts';

const AnyPart = v.looseObject({
  text: v.optional(v.string()),
  functionResponse: v.optional(v.looseObject({ response: v.unknown() })),
});
const GenerateRequest = v.looseObject({
  contents: v.array(v.looseObject({ role: v.optional(v.string()), parts: v.array(AnyPart) })),
  systemInstruction: v.optional(v.unknown()),
  tools: v.optional(v.array(v.unknown()), []),
  toolConfig: v.optional(v.unknown()),
  generationConfig: v.optional(v.record(v.string(), v.unknown()), {}),
});
export type GenerateRequest = v.InferOutput<typeof GenerateRequest>;

/** What the model was asked for a step, in the words of the Gemini API. */
export function askedFor(model: ModelServer, step: number): GenerateRequest | undefined {
  const request = model.requests.findLast((each) => each.step === step);
  return request && v.parse(GenerateRequest, request.body);
}

/** The Gemini API, as far as a client in a scripted turn uses it. */
export async function startGeminiServer(script: readonly Step[]): Promise<ModelServer> {
  const { server, url, close } = await listenOnLoopback();
  const requests: ModelRequest[] = [];
  const missingSteps: number[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').replace(/\?.*/, '');
    const body = parsed(await readBody(request));
    const method = /:(\w+)$/.exec(path)?.[1];
    const asked = method?.endsWith('enerateContent') ? v.safeParse(GenerateRequest, body) : null;
    // Routing, titles and summaries come without tools, and never as a stream.
    const inLoop = method === 'streamGenerateContent' && asked?.success && asked.output.tools.length > 0;
    const step = inLoop ? modelTurns(asked.output) : null;
    requests.push({ method: request.method ?? '', path, body, step });
    if (method === 'countTokens') return sendJson(response, { totalTokens: 1 });
    if (!asked?.success) return sendJson(response, {});
    if (step !== null && script[step] === undefined) missingSteps.push(step);
    const parts = partsOf(step, step === null ? undefined : script[step]);
    if (method === 'generateContent') return sendJson(response, answerOf(parts));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(streamOf(parts));
  };
  server.on('request', (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  const model: ModelServer = {
    url,
    requests,
    missingSteps,
    told: (step) => {
      const request = askedFor(model, step);
      return request && JSON.stringify([request.systemInstruction, request.contents]);
    },
    results: (step) => {
      const last = askedFor(model, step)?.contents.findLast(({ parts }) =>
        parts.some((part) => part.functionResponse),
      );
      return (last?.parts ?? []).flatMap(({ functionResponse }) =>
        functionResponse ? [JSON.stringify(functionResponse.response)] : [],
      );
    },
    close,
  };
  return model;
}

function modelTurns(request: GenerateRequest): number {
  return request.contents.filter(({ role }) => role === 'model').length;
}

function partsOf(step: number | null, scripted: Step | undefined): Part[] {
  // The one question that is asked outside the loop: how hard the prompt is.
  if (step === null) return [{ text: '{"complexity_reasoning":"scripted","complexity_score":10}' }];
  if (scripted === undefined) return [{ text: `The script has no step ${step}.` }];
  return blocksOf(scripted).map(partOf);
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
