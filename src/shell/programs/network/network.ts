import { UNKNOWN, type Word } from '../../analysis.ts';
import { type Call, literal } from '../../call.ts';
import type { CodeTable } from '../../tool.ts';
import { netcat, socat } from '../../tools/sockets.ts';
import { tail } from '../../word.ts';
import { HTTP_CLIENTS, requests, urlHost } from './http-clients.ts';

const DATA = [
  '--data',
  '--data-raw',
  '--data-binary',
  '--data-urlencode',
  '--url-query',
  '--variable',
  '--data-ascii',
  '--json',
  '--form',
  '--form-string',
  '--upload-file',
];

/** Files that stand behind an @ in what is sent. */
function readData(call: Call): void {
  for (const word of call.values('--header', '--proxy-header')) {
    if (word.template.startsWith('@')) call.read(tail(word, 1));
  }
  for (const option of call.command.options) {
    if (option.value === null || !DATA.includes(option.name)) continue;
    const at = /^(?:[^=@]*=)?[@<]|^[\w.-]*@/.exec(option.value.template);
    if (
      option.name !== '--data-raw' &&
      option.name !== '--form-string' &&
      option.name !== '--upload-file' &&
      at
    ) {
      const file = tail(option.value, at[0].length);
      call.read({ ...file, ...literalPart(file) });
    }
  }
}

function curl(call: Call): string {
  const urls = [...call.operands, ...call.values('--url')];
  const uploads = call.values('--upload-file');
  call.read(call.value('--unix-socket'));
  for (const word of uploads) call.read(word);
  readData(call);
  const method =
    call.value('--request')?.text ??
    (call.has('--head')
      ? 'HEAD'
      : uploads.length > 0
        ? 'PUT'
        : call.has(...DATA) && !call.has('--get')
          ? 'POST'
          : 'GET');
  for (const word of urls) {
    call.network({
      host: urlHost(word),
      url: word.text,
      method: method.toUpperCase(),
      sends: call.has(...DATA),
    });
    requests(call, word, method, call.has('--request', ...DATA));
    if (word.template.startsWith('file://')) call.read(literal(word.template.slice(7)));
  }
  // The name in the address is not where the request goes.
  for (const { text } of call.values('--connect-to', '--resolve')) {
    const address = /(?:^|:)(\[[\da-f:.]+\]|[\w.-]+)(?::\d*)?$/i.exec(text ?? '')?.[1];
    if (address !== undefined) call.network({ host: address });
  }
  for (const word of call.values('--proxy', '--preproxy', '--socks5')) call.network({ host: urlHost(word) });
  if (urls.length === 0 && call.has('--config')) call.network({});
  for (const word of call.values('--config', '--netrc-file', '--cookie', '--cert', '--key')) {
    if (!word.template.includes('=')) call.use(word);
  }
  saved(call, urls);
  return UNKNOWN;
}

function saved(call: Call, urls: readonly Word[]): void {
  saveTo(call, call.value('--output'), urls);
  if (call.has('--remote-name', '--remote-name-all'))
    for (const word of urls) saveTo(call, nameFrom(word, call.value('--output-dir')), urls);
  for (const word of call.values('--dump-header', '--cookie-jar', '--trace', '--trace-ascii', '--stderr'))
    call.write(word);
  // Options that are read from its input say where to write, too.
  if (call.value('--config')?.text === '-') call.code(call.command.stdin.template);
}

/** Form fields carry `;type=…` after the file name. */
function literalPart(file: Word): { template: string; text: string | null } {
  const template = file.template.split(';')[0] ?? '';
  return { template, text: file.dynamic ? null : template };
}

/** A download is remembered, so that running it later is seen as running what the network sent. */
export function saveTo(call: Call, word: Word | null, urls: readonly Word[]): void {
  if (word === null || urls.length === 0 || word.text === '-') return;
  call.write(word);
  const [url] = urls;
  const host = url ? urlHost(url) : null;
  call.leaves(word, { template: call.walk.mark({ kind: 'network', host }), sources: [call.index] });
}

/** A file by its name in a folder that is named apart. */
function namedIn(folder: Word | null, file: Word | null): Word | null {
  return file?.text && folder?.text ? literal(`${folder.text}/${file.text}`) : file;
}

function nameFrom(url: Word, directory: Word | null): Word | null {
  const name = /\/([^/?#]+)(?:[?#].*)?$/.exec(url.template.replace(/^\w+:\/\//, ''))?.[1];
  if (name === undefined) return null;
  return literal(directory?.text ? `${directory.text}/${name}` : name);
}

function wget(call: Call): string {
  const sends = call.has('--post-data', '--post-file', '--body-data', '--body-file');
  for (const word of call.values('--post-file', '--body-file', '--input-file')) call.read(word);
  const method = call.value('--method')?.text ?? (sends ? 'POST' : 'GET');
  for (const word of call.operands) {
    call.network({ host: urlHost(word), url: word.text, method, sends });
    requests(call, word, method, sends);
    const folder = call.value('--directory-prefix');
    // An address that ends in no name is saved as an index.
    const named = nameFrom(word, folder) ?? (folder && namedIn(folder, literal('index.html')));
    saveTo(call, call.value('--output-document') ?? named, call.operands);
  }
  for (const word of call.values('--output-file', '--append-output', '--save-cookies')) call.write(word);
  const program = call.value('--use-askpass');
  if (program) call.runArgv([program]);
  return UNKNOWN;
}

function talksTo(call: Call): undefined {
  const word = call.operands[0];
  call.network({ host: word ? urlHost(word) : null, url: word?.text ?? null });
}

/** What comes in goes out through a connection: telnet, and its kin for web sockets and TLS. */
function passesOn(call: Call): undefined {
  const word = call.operands[0];
  const sends = call.command.stdin.from !== 'terminal';
  call.network({ host: word ? urlHost(word) : null, url: word?.text ?? null, sends });
}

/** Programs with words of their own for what to send: `put x`, in a script or on their input. */
function sendsTo(call: Call): undefined {
  const word = call.operands[0];
  sendsByWords(call, [...call.values('-e', '-c', '--command'), ...call.operands.slice(1)]);
  call.network({ host: word ? urlHost(word) : null, url: word?.text ?? null, sends: true });
}

/** The files that such words, or those on its input, name. */
export function sendsByWords(call: Call, words: readonly Word[]): void {
  const script = [...words.map(({ template }) => template), call.command.stdin.template].join('\n');
  for (const [, file = ''] of script.matchAll(
    /\b(?:m?put|send|reput|mirror\s+-R)\s+(?:-\w+\s+)*([^\s;"']+)/g,
  )) {
    call.walk.step();
    call.read(literal(file));
  }
  for (const [, line = ''] of script.matchAll(/(?:^|[\n;])\s*!\s*([^\n;]+)/g)) call.runText(line);
}

function aria2c(call: Call): undefined {
  // It starts a program with the file that it has just fetched.
  const follows = call.command.options.some(({ name }) => /^--on-(?:bt-)?download-complete$/.test(name));
  if (follows) call.execute('network');
  for (const word of call.operands) {
    call.network({ host: urlHost(word), url: word.text });
    const named = namedIn(call.value('--dir'), call.value('--out')) ?? nameFrom(word, call.value('--dir'));
    saveTo(call, named, call.operands);
  }
}

function lwpDownload(call: Call): undefined {
  const [url, file] = call.operands;
  if (!url) return;
  call.network({ host: urlHost(url), url: url.text });
  saveTo(call, file ?? nameFrom(url, null), [url]);
}

function dig(call: Call): undefined {
  call.network({ host: call.operands.find((word) => !word.template.startsWith('@'))?.text ?? null });
}

export const NETWORK: CodeTable = {
  ...HTTP_CLIENTS,
  aria2c,
  curl,
  dig,
  'lwp-download': lwpDownload,
  netcat,
  'passes-on': passesOn,
  'sends-to': sendsTo,
  socat,
  'talks-to': talksTo,
  wget,
};
