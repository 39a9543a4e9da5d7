import * as v from 'valibot';
import type { ModelServer, Step } from '../script.ts';
import { answerOf, partOf, streamOf } from './generate-content.ts';
import { type ModelApi, startModel } from './server.ts';

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
type GenerateRequest = v.InferOutput<typeof GenerateRequest>;

/** Streamed or not, depending on the path. */
type Asked = GenerateRequest & { readonly asStream: boolean };

/** The API that generates content. */
const api: ModelApi<Asked> = {
  read: (path, body) =>
    /:(?:streamG|g)enerateContent$/.test(path) && v.is(GenerateRequest, body)
      ? { ...v.parse(GenerateRequest, body), asStream: path.endsWith(':streamGenerateContent') }
      : null,
  // Routing, titles and summaries come without tools, and are never streamed.
  stepOf: ({ asStream, tools, contents }) =>
    asStream && tools.length > 0 ? contents.filter(({ role }) => role === 'model').length : null,
  // The only question outside the agent's loop: how hard the prompt is.
  aside: '{"complexity_reasoning":"scripted","complexity_score":10}',
  answer: ({ asStream }, blocks) => {
    const parts = blocks.map(partOf);
    return asStream ? { events: streamOf(parts) } : { whole: answerOf(parts) };
  },
  other: (path) => (path.endsWith(':countTokens') ? { totalTokens: 1 } : {}),
  told: ({ systemInstruction, contents }) => [systemInstruction, contents],
  results: ({ contents }) => {
    const last = contents.findLast(({ parts }) => parts.some((part) => part.functionResponse));
    return (last?.parts ?? []).flatMap(({ functionResponse }) =>
      functionResponse ? [JSON.stringify(functionResponse.response)] : [],
    );
  },
};

export function startGenerateContentServer(script: readonly Step[]): Promise<ModelServer> {
  return startModel(api, script);
}
