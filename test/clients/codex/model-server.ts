import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { listenOnLoopback, readBody } from '../loopback-server.ts';
import { blocksOf, type ModelRequest, type ModelServer, type Step } from '../script.ts';
import { itemsOf, message, stepOfCall, streamOf } from './responses.ts';

const InputItem = v.looseObject({
  type: v.string(),
  role: v.optional(v.string()),
  call_id: v.optional(v.string()),
  output: v.optional(v.unknown()),
});
const ResponsesRequest = v.looseObject({ instructions: v.optional(v.unknown()), input: v.array(InputItem) });
type InputItem = v.InferOutput<typeof InputItem>;

/** The Responses API, as far as a client in a scripted turn uses it. */
export async function startResponsesServer(script: readonly Step[]): Promise<ModelServer> {
  const { server, url, close } = await listenOnLoopback();
  const requests: ModelRequest[] = [];
  const missingSteps: number[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').replace(/\?.*/, '');
    const body = parsed(await readBody(request));
    const asked = v.safeParse(ResponsesRequest, body);
    if (path !== '/v1/responses' || !asked.success) {
      requests.push({ method: request.method ?? '', path, body, step: null });
      response.writeHead(404).end();
      return;
    }
    const step = stepsBehind(asked.output.input);
    requests.push({ method: request.method ?? '', path, body, step });
    const scripted = script[step];
    if (scripted === undefined) missingSteps.push(step);
    const items =
      scripted === undefined
        ? [message(`The script has no step ${step}.`)]
        : itemsOf(step, blocksOf(scripted));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(streamOf(`resp_${requests.length}`, items));
  };
  server.on('request', (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  const asked = (step: number) => {
    const request = requests.findLast((each) => each.step === step);
    return request && v.parse(ResponsesRequest, request.body);
  };
  return {
    url,
    requests,
    missingSteps,
    told: (step) => {
      const request = asked(step);
      return request && JSON.stringify([request.instructions, request.input]);
    },
    results: (step) =>
      (asked(step)?.input ?? []).flatMap(({ type, call_id, output }) =>
        type.endsWith('_call_output') && stepOfCall(call_id) === step - 1
          ? [typeof output === 'string' ? output : JSON.stringify(output)]
          : [],
      ),
    close,
  };
}

/** How many steps the model has behind it: those whose calls are there, and those that were only words. */
function stepsBehind(input: readonly InputItem[]): number {
  const calls = new Set(input.filter(isCall).map(({ call_id }) => stepOfCall(call_id)));
  // Words right before a call belong to its step.
  const words = input.filter(
    (item, at) => item.type === 'message' && item.role === 'assistant' && !isCall(input[at + 1]),
  );
  return calls.size + words.length;
}

function isCall(item: InputItem | undefined): boolean {
  return item?.type === 'function_call' || item?.type === 'custom_tool_call';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
