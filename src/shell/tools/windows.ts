import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { hostOf } from '../hosts.ts';
import type { Tool, ToolTable } from '../tool.ts';
import { posixPath } from '../windows-paths.ts';
import { joinWords } from '../word.ts';
import { runCmdLine } from './cmd-line.ts';
import { saveTo } from './network.ts';

/** Switches of cmd.exe begin with a slash and are one letter long. */
const SWITCH = /^\/[a-z?](?::|$)/i;

function command(call: Call): string {
  const { argv } = call.command;
  const at = argv.findIndex((word) => /^\/\/?[ckr]$/i.test(word.template));
  if (at < 0) return UNKNOWN;
  const words = argv.slice(at + 1);
  if (words.some(({ text }) => text === null)) call.walk.lost('cmd runs text of which a part is not known');
  const [only] = words;
  return runCmdLine(call, words.length === 1 && only ? only.template : words.map(written).join(' '));
}

/** A word before the shell took the backslashes out of it. */
function written({ raw, template }: Word): string {
  if (/^["']/.test(raw)) return /\s/.test(template) ? `"${template}"` : template;
  return raw.includes('\\') && !raw.includes('$') ? raw : template;
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
      const drive = call.operands.find((word) => /^(?:[a-z]:|\/[a-z]$)/i.test(word.template));
      if (drive) call.system('format', drive.text);
      return undefined;
    },
  },
  reg: { sub: 1, run: registry },
  setx: { run: (call) => void call.system('settings', call.operands[0]?.text ?? null) },
  robocopy: { run: mirrors },
  xcopy: { run: mirrors },
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
  cmdkey: acts('account', /^\/(?:add|delete|generic)/i),
  takeown: acts('security', null),
  icacls: acts('security', /^\/(?:grant|reset|setowner|remove)/i),
  net: acts('account', /^(?:user|localgroup)$/i),
  wevtutil: acts('history', /^cl$/i),
  sc: acts('service stop', /^(?:stop|delete|config|create)$/i),
  taskkill: acts('kill', null),
  certutil: {
    singleDash: true,
    options: 'urlcache f split decode decodehex encode',
    run: (call) => {
      if (call.has('--decode', '--decodehex')) {
        const [from, to] = call.operands;
        call.read(from ?? null);
        call.write(to ?? null);
      }
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

/** Where the passwords of the machine lie. */
const HIVES = /^(?:hklm|hkey_local_machine)\W*(sam|security|system)$/i;
const STARTS = /currentversion\W*(?:run|runonce|winlogon|image file)|winlogon|\bservices\b|userinit/i;
const PROTECTS = /defender|policies|lsa|wdigest|securitycenter|amsi|firewall/i;

/** What is done to the registry; a copy of where it keeps passwords is one of the passwords. */
function registry(call: Call): undefined {
  const [verb = ''] = call.command.sub;
  const [key, file] = call.operands;
  const name = key?.template ?? '';
  if (/^(?:query|compare)$/.test(verb)) return;
  if (/^(?:save|export|copy)$/.test(verb)) {
    const hive = HIVES.exec(name)?.[1];
    if (hive !== undefined) call.read(literal(`/c/Windows/System32/config/${hive.toUpperCase()}`));
    if (file && verb !== 'copy') call.write(drivePath(file));
  } else if (PROTECTS.test(name)) call.system('security', name);
  else if (STARTS.test(name)) call.system('persist', name);
  else if (verb === 'delete') call.resource('settings', 'remove', true, name);
  else call.system('settings', name || null);
}

/** With these switches the second folder loses what the first one has not. */
function mirrors(call: Call): undefined {
  const [from, to] = call.operands.filter((word) => !/^\/(?:[a-z]{2,}|[abe-z])(?::|$)/i.test(word.template));
  const has = (name: RegExp) => call.operands.some((word) => name.test(word.template));
  if (from) call.read(drivePath(from));
  if (from && has(/^\/mov(?:e)?$/i)) call.moveAway(drivePath(from));
  if (!to) return;
  if (has(/^\/(?:mir|purge)$/i)) call.remove(drivePath(to), true, true);
  const host = /^[\\/]{2}([\w.-]+)[\\/]/.exec(to.raw)?.[1];
  if (host !== undefined) call.network({ host, sends: true });
  else call.write(drivePath(to), { below: true });
}

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
