import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import type { Tool, ToolTable } from '../tool.ts';
import { posixPath } from '../windows-paths.ts';
import { joinWords } from '../word.ts';
import { hostOf } from '../wrappers/remote.ts';
import { saveTo } from './network.ts';

/** Switches of cmd.exe begin with a slash and are one letter long. */
const SWITCH = /^\/[a-z?](?::|$)/i;

function command(call: Call): string {
  const at = call.operands.findIndex((word) => /^\/[ckr]$/i.test(word.template));
  if (at < 0) return UNKNOWN;
  const words = call.operands.slice(at + 1);
  return words.length === 1 ? call.runText(joinWords(words)) : call.runArgv(words);
}

/** A POSIX shell takes the backslashes out of `C:\\x`; the program that is meant to get it never loses them. */
function drivePath(word: Word): Word {
  return /^['"]?(?:[a-z]:|%\w+%)/i.test(word.raw) ? literal(posixPath(word.raw.replace(/['"]/g, ''))) : word;
}

const deletes: Tool = {
  run: (call) => {
    const switches = call.operands.flatMap((word) =>
      SWITCH.test(word.template) ? word.template.toLowerCase() : [],
    );
    for (const word of call.operands) {
      if (!SWITCH.test(word.template))
        call.remove(
          drivePath(word),
          switches.includes('/s'),
          switches.includes('/q') || switches.includes('/f'),
        );
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
  schtasks: {
    run: (call) => {
      const shows = call.operands.some((word) => /^\/query$/i.test(word.template));
      if (!shows) call.system('schedule', call.operands[0]?.text ?? null);
      return undefined;
    },
  },
  vssadmin: acts('format', /^(?:delete|resize)$/i),
  wbadmin: acts('format', /^delete$/i),
  wmic: acts('format', /^delete$/i),
  diskpart: acts('format', null),
  cipher: acts('format', /^\/w/i),
  bcdedit: acts('security', /^\/(?:set|delete)/i),
  netsh: acts('firewall', /^(?:off|delete|add|set)$/i),
  takeown: acts('security', null),
  icacls: acts('security', /^\/(?:grant|reset|setowner|remove)/i),
  net: acts('account', /^(?:user|localgroup)$/i),
  wevtutil: acts('history', /^cl$/i),
  sc: acts('service stop', /^(?:stop|delete|config|create)$/i),
  taskkill: acts('kill', null),
  certutil: {
    singleDash: true,
    options: 'urlcache f split decode encode',
    run: (call) => {
      if (!call.has('--urlcache')) return undefined;
      const [url, file] = call.operands;
      call.network({ url: url?.text ?? null, host: hostOf(url?.text ?? null) });
      saveTo(call, file ?? null, call.operands);
      return undefined;
    },
  },
  bitsadmin: {
    run: (call) => {
      const url = call.operands.find((word) => /^https?:/.test(word.template));
      if (url) call.network({ url: url.text, host: hostOf(url.text) });
      saveTo(call, call.operands.at(-1) ?? null, url ? [url] : []);
      return undefined;
    },
  },
  mshta: runsAddress(),
  regsvr32: runsAddress(),
  rundll32: runsAddress(),
  msiexec: runsAddress(),
};

/** One action on the machine, when one of the words says so. */
function acts(action: string, when: RegExp | null): Tool {
  return {
    run: (call) => {
      if (when === null || call.operands.some((word) => when.test(word.template)))
        call.system(action, joinWords(call.operands) || null);
      return undefined;
    },
  };
}

/** Programs that run what they find at an address. */
function runsAddress(): Tool {
  return {
    run: (call) => {
      const url = call.operands.find((word) =>
        /https?:|^\\{1,2}\w+[\\.]|(?:java|vb)script:/i.test(word.template),
      );
      if (url) call.execute('network', null, hostOf(url.text));
      return undefined;
    },
  };
}
