import type { Block } from '../script.ts';

/** A part of what is generated. */
type Part =
  | { readonly text: string }
  | {
      readonly functionCall: {
        readonly name: string;
        readonly args: Readonly<Record<string, unknown>>;
      };
    };

interface Answer {
  readonly candidates: readonly [
    {
      readonly content: { readonly role: 'model'; readonly parts: readonly Part[] };
      readonly finishReason?: 'STOP';
      readonly index: 0;
    },
  ];
  readonly usageMetadata: {
    readonly promptTokenCount: number;
    readonly candidatesTokenCount: number;
    readonly totalTokenCount: number;
  };
}

/** The whole answer in one piece. */
export function answerOf(parts: readonly Part[], last = true): Answer {
  return {
    candidates: [
      { content: { role: 'model', parts }, ...(last ? { finishReason: 'STOP' as const } : {}), index: 0 },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
}

/** The same answer as server-sent events, one for each part. */
export function streamOf(parts: readonly Part[]): string {
  return parts
    .map((part, at) => `data: ${JSON.stringify(answerOf([part], at === parts.length - 1))}\r\n\r\n`)
    .join('');
}

export function partOf(block: Block): Part {
  return 'text' in block ? { text: block.text } : { functionCall: { name: block.tool, args: block.input } };
}
