import { UNKNOWN } from '../analysis.ts';
import type { Call } from '../call.ts';
import type { Tool, ToolTable } from '../tool.ts';
import { joinWords } from '../word.ts';

/** Switches of cmd.exe begin with a slash and are one letter long. */
const SWITCH = /^\/[a-z?](?::|$)/i;

function command(call: Call): string {
  const at = call.operands.findIndex((word) => /^\/[ckr]$/i.test(word.template));
  if (at < 0) return UNKNOWN;
  const words = call.operands.slice(at + 1);
  return words.length === 1 ? call.runText(joinWords(words)) : call.runArgv(words);
}

const deletes: Tool = {
  run: (call) => {
    const switches = call.operands.flatMap((word) =>
      SWITCH.test(word.template) ? word.template.toLowerCase() : [],
    );
    for (const word of call.operands) {
      if (!SWITCH.test(word.template))
        call.remove(word, switches.includes('/s'), switches.includes('/q') || switches.includes('/f'));
    }
    return undefined;
  },
};

/** cmd.exe and its words, as they are met from a POSIX shell. */
export const WINDOWS: ToolTable = {
  cmd: { run: command },
  del: deletes,
  erase: deletes,
  rd: deletes,
  format: {
    run: (call) => {
      const drive = call.operands.find((word) => /^[a-z]:/i.test(word.template));
      if (drive) call.system('format', drive.text);
      return undefined;
    },
  },
  reg: { sub: 1, run: (call) => void call.system('settings', call.operands[0]?.text ?? null) },
  schtasks: { run: (call) => void call.system('schedule', call.operands[0]?.text ?? null) },
  vssadmin: { sub: 1, run: (call) => void call.system('format', call.operands[0]?.text ?? null) },
};
