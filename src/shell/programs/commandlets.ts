import { factWord } from '../../knowledge/facts.ts';
import type { Facts } from '../../knowledge/program.ts';
import type { Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { fetchedFrom } from '../memory/fetched.ts';
import { hostOf } from '../places/hosts.ts';
import { posixPath } from '../places/windows-paths.ts';
import { type Bound, bindWords, isOn, valuesOf } from '../powershell/parameters.ts';
import type { CodeTable } from '../tool.ts';
import { makeWord } from '../word.ts';
import { requests } from './network/http-clients.ts';

const bound = (call: Call): Bound =>
  bindWords(
    call.name,
    call.command.argv.slice(1).map(({ template }) => template),
  );

/** A path as PowerShell reads it: with patterns, quoted or not. */
const place = (text: string): Word => {
  const path = posixPath(text);
  return makeWord(path, path, /[*?]/.test(path));
};

/** The targets of a command: those of the named parameter, otherwise the positional words. */
function targets(call: Call, given: Bound = bound(call)): readonly string[] {
  const named = valuesOf(given, 'path', 'literalpath', 'filepath');
  return named.length > 0 ? named : given.rest;
}

/** Drives that are not in the file system: `Env:X`, `HKLM:\\X`. */
const DRIVE =
  /^(?:microsoft\.powershell\.core\\+registry::)?(env|hk\w+|cert|variable|function|alias|wsman):?(?=[\\/:]|$)[\\/:]*(.*)$/is;

/** False for a path in the file system. */
function elsewhere(call: Call, path: string, op: 'set' | 'unset'): boolean {
  const [, drive, name = ''] =
    (/^(?:env|hk\w+|cert|variable|function|alias|wsman):/i.test(path) && DRIVE.exec(path)) || [];
  if (drive === undefined) return false;
  if (/^env$/i.test(drive)) call.env(name.toUpperCase(), op, null);
  else if (/^(?:hk|cert|wsman)/i.test(drive)) setting(call, path, op === 'unset');
  else if (/^(?:function|alias)$/i.test(drive) && op === 'set')
    call.walk.fail('powershell: a name is made to mean something else');
  return true;
}

const STARTS =
  /[\\/](?:Run|RunOnce|RunOnceEx|RunServices|Winlogon|Image File Execution Options|AppInit_DLLs|Services|Shell Folders|User Shell Folders|Userinit|Environment|Active Setup)\b/i;
const PROTECTS =
  /Windows Defender|Policies|SecurityCenter|EnableLUA|Lsa|WDigest|Firewall|AMSI|Terminal Server|RestrictedAdmin|cert:/i;

/** A key in the registry or the certificate store. */
function setting(call: Call, key: string, isGone: boolean): void {
  if (isGone) call.resource('settings', 'remove', true, key);
  else if (PROTECTS.test(key)) call.system('security', key);
  else if (STARTS.test(key)) call.system('persist', key);
  else if (!/^hkcu|^hkey_current_user/i.test(key)) call.system('security', key);
  else call.system('settings', key);
}

function deletes(call: Call): undefined {
  const given = bound(call);
  const piped = call.command.stdin.from === 'pipe';
  const aims = targets(call, given);
  for (const path of aims.length > 0 || !piped ? aims : ['**'])
    if (!elsewhere(call, path, 'unset'))
      call.remove(place(path), isOn(given, 'recurse') || /\*\*$/.test(path), isOn(given, 'force') || piped);
}

function moves(call: Call): undefined {
  const given = bound(call);
  const words = [...valuesOf(given, 'path', 'literalpath'), ...given.rest];
  const named = valuesOf(given, 'destination', 'newname')[0];
  const to = named ?? (words.length > 1 ? words.at(-1) : '.') ?? '.';
  for (const from of named === undefined && words.length > 1 ? words.slice(0, -1) : words) {
    if (call.name === 'copy-item') call.read(place(from));
    else if (elsewhere(call, from, 'unset')) continue;
    else if (call.name === 'move-item') call.moveAway(place(from));
    else call.remove(place(from), true, false);
  }
  if (elsewhere(call, to, 'set')) return;
  const host = /^[\\/]{2}([\w.-]+)[\\/]/.exec(to)?.[1];
  if (host !== undefined || given.named.has('tosession')) call.network({ host: host ?? null, sends: true });
  else call.write(place(to));
}

/** What is packed or unpacked, and the target. */
function packs(call: Call): undefined {
  const given = bound(call);
  const named = valuesOf(given, 'destinationpath')[0];
  const from = targets(call, given);
  const to = named ?? given.rest.at(-1) ?? '.';
  for (const path of named === undefined && from.length > 1 ? from.slice(0, -1) : from)
    call.read(place(path));
  call.write(place(to), { below: call.name === 'expand-archive' });
}

function download(call: Call): undefined {
  const given = bound(call);
  const url = valuesOf(given, 'uri', 'source')[0] ?? given.rest[0] ?? null;
  const sent = valuesOf(given, 'infile', 'form');
  const sends =
    given.named.has('body') ||
    sent.length > 0 ||
    /^(?:post|put|patch)$/i.test(valuesOf(given, 'method')[0] ?? '');
  for (const path of valuesOf(given, 'infile')) call.read(place(path));
  call.network({
    url,
    host: hostOf(url),
    sends,
    method: valuesOf(given, 'method')[0]?.toUpperCase() ?? null,
  });
  const method = valuesOf(given, 'method', 'custommethod')[0] ?? (sent.length > 0 ? 'POST' : 'GET');
  if (url !== null) requests(call, makeWord(url, url), { method, body: valuesOf(given, 'body').join('') });
  const saved =
    valuesOf(given, 'outfile', 'destination')[0] ??
    (call.name === 'start-bitstransfer' ? given.rest[1] : undefined);
  if (saved !== undefined) call.write(place(saved));
}

/** Runs code whose origin the words or earlier commands tell. */
function evaluates(call: Call): undefined {
  const words = call.command.argv.slice(1);
  const host = fetchedFrom(
    call,
    [],
    words.map(({ template }) => template).join(' ') + call.command.stdin.template,
  );
  const fetched = host !== undefined || call.walk.effects.some(({ kind }) => kind === 'network');
  if (fetched) call.execute('network', null, host ?? null);
  else call.execute(words.some(({ template }) => template === '-Decoded') ? 'decoded' : 'unknown');
}

function property(call: Call): undefined {
  for (const key of targets(call).slice(0, 1)) {
    if (/^(?:hk\w+|cert|wsman):|^hkey_|registry::/i.test(key))
      setting(call, `${key}/${valuesOf(bound(call), 'name')[0] ?? ''}`, call.name === 'remove-itemproperty');
    else if (!elsewhere(call, key, 'set')) call.write(place(key));
  }
}

function creates(call: Call): undefined {
  const given = bound(call);
  const named = valuesOf(given, 'name')[0];
  const kind = valuesOf(given, 'itemtype')[0] ?? '';
  const [link] = valuesOf(given, 'target', 'value');
  for (const path of targets(call, given).length > 0 ? targets(call, given) : ['.']) {
    if (elsewhere(call, path, 'set')) continue;
    const at = place(named === undefined ? path : `${path}/${named}`);
    if (/link|junction/i.test(kind)) call.system('link', call.path(place(link ?? '.')).path);
    call.write(at);
  }
}

function writes(call: Call): undefined {
  const given = bound(call);
  const append = call.name === 'add-content' || isOn(given, 'append');
  const named = valuesOf(given, 'path', 'literalpath', 'filepath');
  for (const path of named.length > 0 ? named : given.rest.slice(0, 1))
    if (!elsewhere(call, path, 'set')) {
      call.write(place(path), { append });
      const text = valuesOf(given, 'value')[0] ?? (named.length > 0 ? given.rest[0] : given.rest[1]);
      if (!append && text !== undefined) call.setContent(place(path), { template: text, sources: [] });
    }
}

function reads(call: Call): undefined {
  const given = bound(call);
  const named = valuesOf(given, 'path', 'literalpath');
  const isSearch = call.name === 'select-string';
  const rest = isSearch && !given.named.has('pattern') ? given.rest.slice(1) : given.rest;
  for (const path of named.length > 0 ? named : isSearch ? rest : rest.slice(0, MAX_FILES))
    if (!/^(?:env|variable|function|hk\w+|cert):/i.test(path)) call.read(place(path));
    else if (/^env:[\\/]?\*?$/i.test(path)) call.env('*', 'read', null);
}

const MAX_FILES = 24;

function mails(call: Call): undefined {
  const given = bound(call);
  for (const path of valuesOf(given, 'attachments')) call.read(place(path));
  call.network({ host: valuesOf(given, 'smtpserver')[0] ?? null, sends: true });
}

function installs(call: Call): undefined {
  const given = bound(call);
  const name = valuesOf(given, 'name')[0] ?? given.rest[0] ?? '';
  call.packages('powershell', 'install', [literal(name)], true);
}

/** The target, if one word names it. */
function aim(call: Call): string | null {
  const words = call.command.argv.slice(1).map(({ template }) => template);
  const at = words.findIndex((word) => /^-(?:name|path|taskname|displayname|identity)$/i.test(word));
  return at >= 0 ? (words[at + 1] ?? null) : (words.find((word) => !word.startsWith('-')) ?? null);
}

/** A pattern ends many processes at once, other words end single ones. */
function stopsProcess(call: Call): undefined {
  const words = call.command.argv.slice(1).map(({ template }) => template);
  const everything = words.some((word) => /^\*$/.test(word));
  call.system(everything ? 'service kill' : 'kill', aim(call));
}

/** Execution policy. A policy for the process ends with it. */
function setsPolicy(call: Call): undefined {
  const words = call.command.argv.slice(1).map(({ template }) => template);
  if (!/(?:^|\s)-s(?:c|co|cop|cope)?[\s:]+process(?:\s|$)/i.test(words.join(' ')))
    call.system('security', aim(call));
}

function machine(call: Call, facts: Facts): undefined {
  call.system(factWord(facts, 'action') ?? '', aim(call));
}

function cloud(call: Call): undefined {
  call.resource('cloud', call.name, true, aim(call));
}

/** Cmdlets with effects. */
export const COMMANDLETS: CodeTable = {
  'commandlet-cloud': cloud,
  'commandlet-creates': creates,
  'commandlet-deletes': deletes,
  'commandlet-download': download,
  'commandlet-evaluates': evaluates,
  'commandlet-installs': installs,
  'commandlet-machine': machine,
  'commandlet-mails': mails,
  'commandlet-moves': moves,
  'commandlet-packs': packs,
  'commandlet-property': property,
  'commandlet-reads': reads,
  'commandlet-sets-policy': setsPolicy,
  'commandlet-stops-process': stopsProcess,
  'commandlet-writes': writes,
};
