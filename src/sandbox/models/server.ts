import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenOnLoopback, readBody } from '../loopback-server.ts';
import { type Block, blocksOf, type ModelRequest, type ModelServer, type Step } from '../script.ts';

/** The part of a model API that a client uses in a scripted turn. */
export interface ModelApi<Request> {
  /** The client's request to the model; null for other requests. */
  read(path: string, body: unknown): Request | null;
  /** Number of the model's earlier turns; null for titles, summaries and other requests outside the agent's loop. */
  stepOf(request: Request): number | null;
  /** The model's answer outside that loop. */
  readonly aside: string;
  /** `id` is unique per answer. */
  answer(request: Request, blocks: readonly Block[], id: number): ModelAnswer;
  /** The answer to any other request; null means not found. */
  other(path: string): unknown;
  /** Everything the model received. */
  told(request: Request): unknown;
  /** Results of the model's calls in the step before. */
  results(request: Request, step: number): readonly string[];
}

/** Whole, or as server-sent events. */
type ModelAnswer = { readonly whole: unknown } | { readonly events: string };

/** A scripted model on loopback. */
export async function startModel<Request>(
  api: ModelApi<Request>,
  script: readonly Step[],
): Promise<ModelServer> {
  const { server, url, close } = await listenOnLoopback();
  const requests: ModelRequest[] = [];
  const missingSteps: number[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').replace(/\?.*/, '');
    const body = parsed(await readBody(request));
    const asked = api.read(path, body);
    const step = asked === null ? null : api.stepOf(asked);
    requests.push({ method: request.method ?? '', path, body, step });
    if (asked === null) return send(response, { whole: api.other(path) });
    if (step !== null && script[step] === undefined) missingSteps.push(step);
    const said = step === null ? api.aside : (script[step] ?? `The script has no step ${step}.`);
    send(response, api.answer(asked, blocksOf(said), requests.length));
  };
  server.on('request', (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  const askedFor = (step: number): Request | null => {
    const request = requests.findLast((each) => each.step === step);
    return request ? api.read(request.path, request.body) : null;
  };
  return {
    url,
    requests,
    missingSteps,
    told: (step) => {
      const request = askedFor(step);
      return request === null ? undefined : JSON.stringify(api.told(request));
    },
    results: (step) => {
      const request = askedFor(step);
      return request === null ? [] : api.results(request, step);
    },
    close,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function send(response: ServerResponse, answer: ModelAnswer): void {
  const [type, text] =
    'events' in answer
      ? ['text/event-stream', answer.events]
      : ['application/json', JSON.stringify(answer.whole)];
  response.writeHead(text === 'null' ? 404 : 200, { 'content-type': type });
  response.end(text);
}
