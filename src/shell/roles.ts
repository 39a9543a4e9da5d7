import type { Call } from './call.ts';
import { onlyMade, type Tool } from './tool.ts';

/** What a program does with files named by its words, according to its table. */
export function roles(call: Call, tool: Tool): void {
  for (const option of call.command.options) {
    if (tool.reads?.includes(option.name)) call.read(option.value);
    if (tool.writes?.includes(option.name)) call.write(option.value);
  }
  if (tool.operands === undefined) return;
  for (const word of call.operands.slice(tool.skip ?? 0)) {
    if (tool.operands === 'read') call.read(word);
    else if (tool.operands === 'write')
      call.write(word, onlyMade(tool, word) ? { certainty: 'possible' } : {});
    else call.remove(word, false, false);
  }
}
