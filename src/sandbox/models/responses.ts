import type { Block } from '../script.ts';

/** An output item of the Responses API. */
type Item = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The model's output in one step. Call ids contain the step, so that a later request can be placed. */
export function itemsOf(step: number, blocks: readonly Block[]): Item[] {
  return blocks.map((block, index) => {
    const call = { id: `item_${step}_${index}`, call_id: callId(step, index), status: 'completed' };
    if ('text' in block) return message(block.text);
    const { patch } = block.input;
    return typeof patch === 'string'
      ? { type: 'custom_tool_call', ...call, name: block.tool, input: patch }
      : { type: 'function_call', ...call, name: block.tool, arguments: JSON.stringify(block.input) };
  });
}

function message(text: string): Item {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', role: 'assistant', status: 'completed', content };
}

/** The whole answer as server-sent events: finished items, and the end event that the client requires. */
export function streamOf(id: string, items: readonly Item[]): string {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const events = [
    ...items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    { type: 'response.completed', response: { id, usage } },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

function callId(step: number, index: number): string {
  return `call_${step}_${index}`;
}

/** The step that made a call; null for calls that are not from the script. */
export function stepOfCall(id: unknown): number | null {
  const step = /^call_(\d+)_\d+$/.exec(String(id))?.[1];
  return step === undefined ? null : Number(step);
}
