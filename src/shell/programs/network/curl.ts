import { shellQuoted } from '../../../platform/shell-words.ts';
import { UNKNOWN, type Word } from '../../analysis.ts';
import { type Call, literal } from '../../call.ts';
import { expandBraces } from '../../expand/braces.ts';
import { scriptFile } from '../../tools/shells.ts';
import { makeWord, tail } from '../../word.ts';
import { requests, type Sent, urlHost } from './http-clients.ts';
import { nameFrom, saveTo } from './saved.ts';

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

/** Files after an @ in the data to send. */
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

export function curl(call: Call): string {
  const urls = [
    ...call.operands,
    ...call.values('--url'),
    ...call.values('--expand-url').map((word) => filledIn(call, word)),
  ];
  call.read(call.value('--unix-socket'));
  for (const word of call.values('--upload-file')) call.read(word);
  readData(call);
  const method = methodOf(call);
  for (const word of urls)
    call.network({
      host: urlHost(word),
      url: word.text,
      method: method.toUpperCase(),
      sends: call.has(...DATA),
    });
  // The request does not go to the host in the address.
  for (const { text } of call.values('--connect-to', '--resolve')) {
    const address = /(?:^|:)(\[[\da-f:.]+\]|[\w.-]+)(?::\d*)?$/i.exec(text ?? '')?.[1];
    if (address !== undefined) call.network({ host: address });
  }
  for (const word of urls) {
    asksFor(call, word, method);
    if (word.template.startsWith('file://')) call.read(literal(word.template.slice(7)));
  }
  for (const word of call.values('--proxy', '--preproxy', '--socks5')) call.network({ host: urlHost(word) });
  if (urls.length === 0 && call.has('--config')) call.network({});
  for (const word of call.values('--config', '--netrc-file', '--cookie', '--cert', '--key')) {
    if (!word.template.includes('=')) call.consume(word);
  }
  for (const file of call.values('--config')) withConfig(call, scriptFile(call, file).template);
  saved(call, urls);
  return UNKNOWN;
}

function methodOf(call: Call): string {
  const named = call.value('--request')?.text;
  if (named !== undefined && named !== null) return named;
  if (call.has('--head')) return 'HEAD';
  if (call.values('--upload-file').length > 0) return 'PUT';
  return call.has(...DATA, '--expand-data') && !call.has('--get') ? 'POST' : 'GET';
}

/** One address may stand for several, and one line for several requests with separate options. */
function asksFor(call: Call, address: Word, last: string): void {
  const named = call.has('--next') ? call.values('--request').flatMap(({ text }) => text ?? []) : [];
  const path = call.value('--request-target')?.template;
  const asked = call.has('--get') ? `${address.template.includes('?') ? '&' : '?'}${bodyOf(call)}` : '';
  const spellings = call.has('--globoff') ? null : expandBraces(address.template);
  for (const spelling of spellings ?? [address.template]) {
    const url = path === undefined ? `${spelling}${asked}` : spelling.replace(/(?<=[\w\]])\/.*$|$/, path);
    for (const method of new Set([...named, last]))
      requests(call, url === address.template ? address : makeWord(url, address.raw), {
        method,
        body: call.has('--get') ? '' : bodyOf(call),
        ...headersOf(call),
      });
  }
}

/** `{{name}}`, as far as the line defines it. */
function filledIn(call: Call, word: Word): Word {
  const variables = call.values('--variable').flatMap(({ template }) => {
    const [, name = '', value = ''] = /^%?(\w+)=([\s\S]*)$/.exec(template) ?? [];
    return name === '' ? [] : [[name, value] as const];
  });
  const values = new Map(variables);
  const fill = (_: string, name: string) => values.get(name) ?? UNKNOWN;
  return makeWord(word.template.replace(/\{\{(\w{1,80})[:\w]{0,80}\}\}/g, fill), word.raw);
}

const CONFIG_LINE = /^[ \t]*(-{0,2})([a-z][\w-]*)[ \t=:]*(.*)$/i;

/** Options from a file, one per line. */
function withConfig(call: Call, text: string): void {
  const words = text
    .slice(0, LONGEST_CONFIG)
    .split('\n')
    .flatMap((line) => {
      const [, dashes = '', name = '', value = ''] = CONFIG_LINE.exec(line.trim()) ?? [];
      if (name === '' || /^(?:K|config)$/.test(name)) return [];
      const option = `${dashes === '-' && name.length === 1 ? '-' : '--'}${name}`;
      return [value === '' ? option : `${option} ${shellQuoted(value.replace(/^"(.*)"$/, '$1'))}`];
    });
  if (words.length === 0) return;
  const typed = call.command.options
    .filter(({ name }) => name !== '--config')
    .map(({ name, value }) => (value === null ? name : `${name} ${shellQuoted(value.template)}`));
  const operands = call.operands.map(({ template }) => shellQuoted(template));
  call.runText(['curl', ...words, ...typed, ...operands].join(' '));
}

const LONGEST_CONFIG = 16 * 1024;

/** The data to send, including files that the line wrote and standard input. */
function bodyOf(call: Call): string {
  const sent = call.command.options.filter(({ name }) => DATA.includes(name) && name !== '--variable');
  const texts = sent.flatMap(({ name, value }) => {
    if (value === null) return [];
    const isFile = name === '--upload-file' || value.template.startsWith('@');
    if (!isFile) return [value.template];
    return [scriptFile(call, name === '--upload-file' ? value : tail(value, 1)).template];
  });
  const filled = call.values('--expand-data').map((word) => filledIn(call, word).template);
  // JSON pieces are joined without a separator.
  return [...texts, ...filled].join(call.has('--json') ? '' : '&');
}

const OVERRIDES = /^x-(?:http-)?method(?:-override)?:\s*(\w{1,20})/i;

/** What headers add: Amazon's operation, another method, and credentials. */
export function headersOf(call: Call): Pick<Sent, 'target' | 'override' | 'login'> {
  const headers = call.values('--header').map(({ template }) => template);
  const find = (form: RegExp) => headers.flatMap((one) => form.exec(one)?.[1] ?? [])[0];
  const login = call.value('--user')?.template ?? find(/^authorization:\s*(?:bearer|basic)?\s*(\S{1,200})/i);
  return { target: find(/^x-amz-target:\s*([\w.]{1,200})/i), override: find(OVERRIDES), login };
}

function saved(call: Call, urls: readonly Word[]): void {
  saveTo(call, call.value('--output'), urls);
  if (call.has('--remote-name', '--remote-name-all'))
    for (const word of urls) saveTo(call, nameFrom(word, call.value('--output-dir')), urls);
  for (const word of call.values('--dump-header', '--cookie-jar', '--trace', '--trace-ascii', '--stderr'))
    call.write(word);
  // Options read from the input may also name files to write.
  if (call.value('--config')?.text === '-') call.code(call.command.stdin.template);
}

/** Form fields carry `;type=…` after the file name. */
function literalPart(file: Word): { template: string; text: string | null } {
  const template = file.template.split(';')[0] ?? '';
  return { template, text: file.dynamic ? null : template };
}
