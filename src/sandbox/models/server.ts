import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenOnLoopback, readBody } from '../loopback-server.ts';
import { type Block, blocksOf, type ModelRequest, type ModelServer, type Step } from '../script.ts';

/** The API of a model, as far as a client in a scripted turn uses it. */
export interface ModelApi<Request> {
  /** What the client asks the model; null for everything else that it may ask a server. */
  read(path: string, body: unknown): Request | null;
  /** How many turns the model has behind it; null for titles, summaries and the like, outside the agent's own loop. */
  stepOf(request: Request): number | null;
  /** What the model says outside that loop. */
  readonly aside: string;
  /** `id` is another one for each answer. */
  answer(request: Request, blocks: readonly Block[], id: number): ModelAnswer;
  /** What is answered to everything else; null is not found. */
  other(path: string): unknown;
  /** All that the model is told. */
  told(request: Request): unknown;
  /** The results of the calls that the model made in the step before. */
  results(request: Request, step: number): readonly string[];
}

/** Whole, or as server-sent events. */
type ModelAnswer = { readonly whole: unknown } | { readonly events: string };

/** A model on loopback that says what a script says. */
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
