import * as v from 'valibot';
import type { ModelServer, Step } from '../script.ts';
import { itemsOf, stepOfCall, streamOf } from './responses.ts';
import { type ModelApi, startModel } from './server.ts';

const InputItem = v.looseObject({
  type: v.string(),
  role: v.optional(v.string()),
  call_id: v.optional(v.string()),
  output: v.optional(v.unknown()),
});
const ResponsesRequest = v.looseObject({ instructions: v.optional(v.unknown()), input: v.array(InputItem) });
type ResponsesRequest = v.InferOutput<typeof ResponsesRequest>;
type InputItem = v.InferOutput<typeof InputItem>;

/** The Responses API. */
const api: ModelApi<ResponsesRequest> = {
  read: (path, body) => (path === '/v1/responses' && v.is(ResponsesRequest, body) ? body : null),
  stepOf: ({ input }) => stepsBehind(input),
  aside: 'ok',
  answer: ({ input }, blocks, id) => ({
    events: streamOf(`resp_${id}`, itemsOf(stepsBehind(input), blocks)),
  }),
  other: () => null,
  told: ({ instructions, input }) => [instructions, input],
  results: ({ input }, step) =>
    input.flatMap(({ type, call_id, output }) =>
      type.endsWith('_call_output') && stepOfCall(call_id) === step - 1
        ? [typeof output === 'string' ? output : JSON.stringify(output)]
        : [],
    ),
};

export function startResponsesServer(script: readonly Step[]): Promise<ModelServer> {
  return startModel(api, script);
}

/** Number of the model's earlier steps: those with calls, and those with only text. */
function stepsBehind(input: readonly InputItem[]): number {
  const calls = new Set(input.filter(isCall).map(({ call_id }) => stepOfCall(call_id)));
  // Text right before a call belongs to its step.
  const words = input.filter(
    (item, at) => item.type === 'message' && item.role === 'assistant' && !isCall(input[at + 1]),
  );
  return calls.size + words.length;
}

function isCall(item: InputItem | undefined): boolean {
  return item?.type === 'function_call' || item?.type === 'custom_tool_call';
}
