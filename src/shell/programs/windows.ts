import { factWord, factWords } from '../../knowledge/facts.ts';
import type { Facts } from '../../knowledge/program.ts';
import { isLike } from '../../knowledge/wildcard.ts';
import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { hostOf } from '../places/hosts.ts';
import { posixPath } from '../places/windows-paths.ts';
import type { CodeTable } from '../tool.ts';
import { runCmdLine } from '../tools/cmd-line.ts';
import { joinWords } from '../word.ts';
import { saveTo } from './network/saved.ts';

/** Switches of cmd.exe are a slash and one letter. */
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

/** A shell already removed the backslashes from an earlier word. */
function written({ raw, template }: Word): string {
  if (/^["']/.test(raw)) return /\s/.test(template) ? `"${template}"` : template;
  return raw.includes('\\') && !raw.includes('$') ? raw : template;
}

/** A POSIX shell removes the backslashes from `C:\\x`; the intended program still gets that path. */
function drivePath(word: Word): Word {
  return /^['"]?(?:[a-z]:|%\w+%)/i.test(word.raw) ? literal(posixPath(word.raw.replace(/['"]/g, ''))) : word;
}

function deletes(call: Call): undefined {
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
}

function format(call: Call): undefined {
  const drive = call.operands.find((word) => /^(?:[a-z]:|\/[a-z]$)/i.test(word.template));
  if (drive) call.system('format', drive.text);
}

function schtasks(call: Call): undefined {
  const shows = call.operands.some((word) => /^\/query$/i.test(word.template));
  if (!shows) call.system('schedule', call.operands[0]?.text ?? null);
}

function certutil(call: Call): undefined {
  if (call.has('--decode', '--decodehex')) {
    const [from, to] = call.operands;
    call.read(from ?? null);
    call.write(to ?? null);
  }
  if (!call.has('--urlcache')) return;
  const [url, file] = call.operands;
  call.network({ url: url?.text ?? null, host: hostOf(url?.text ?? null) });
  saveTo(call, file ?? null, call.operands);
}

function bitsadmin(call: Call): undefined {
  const url = call.operands.find((word) => /^https?:/.test(word.template));
  if (url) call.network({ url: url.text, host: hostOf(url.text) });
  saveTo(call, call.operands.at(-1) ?? null, url ? [url] : []);
}

/** Registry keys that hold passwords. */
const HIVES = /^(?:hklm|hkey_local_machine)\W*(sam|security|system)$/i;
const STARTS = /currentversion\W*(?:run|runonce|winlogon|image file)|winlogon|\bservices\b|userinit/i;
const PROTECTS = /defender|policies|lsa|wdigest|securitycenter|amsi|firewall/i;

/** Changes to the registry. Copying a key that holds passwords counts as reading a password. */
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

/** With these switches, files missing in the first directory are deleted from the second. */
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

/** One action on the machine, if a word names it; case doesn't matter. */
function action(call: Call, facts: Facts): undefined {
  const words = factWords(facts, 'words');
  const isSaid = ({ template }: Word) => words.some((pattern) => isLike(template.toLowerCase(), pattern));
  if (words.length === 0 || call.operands.some(isSaid))
    call.system(factWord(facts, 'action') ?? '', joinWords(call.operands) || null);
}

/** Programs that run what they download from an address. */
function runsAddress(call: Call): undefined {
  const url = call.operands.find((word) =>
    /https?:|^\\{1,2}\w+[\\.]|(?:java|vb)script:/i.test(word.template),
  );
  if (url) call.execute('network', null, hostOf(url.text));
}

/** cmd.exe and its arguments, as seen from a POSIX shell. */
export const WINDOWS: CodeTable = {
  cmd: command,
  'windows-action': action,
  'windows-deletes': deletes,
  'windows-format': format,
  registry,
  mirrors,
  schtasks,
  certutil,
  bitsadmin,
  'runs-address': runsAddress,
};
