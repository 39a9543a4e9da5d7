import type { Call } from '../call.ts';
import { calculated } from '../expand/calculated.ts';
import { hasUnknown } from '../placeholders.ts';
import type { CodeTable } from '../tool.ts';
import { joinWords } from '../word.ts';

function printed({ walk }: Call, expression: string): string | undefined {
  const value = calculated(walk, expression);
  return hasUnknown(value) ? undefined : value;
}

/** Programs that print a number. */
export const CALCULATORS: CodeTable = {
  bc: (call) => printed(call, call.command.stdin.template.trim()),
  expr: (call) => printed(call, joinWords(call.command.argv.slice(1)).replaceAll('\\*', '*')),
};
