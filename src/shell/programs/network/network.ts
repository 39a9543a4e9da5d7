import { UNKNOWN, type Word } from '../../analysis.ts';
import { type Call, literal } from '../../call.ts';
import { marksIn } from '../../placeholders.ts';
import type { CodeTable } from '../../tool.ts';
import { scriptFile } from '../../tools/shells.ts';
import { netcat, socat } from '../../tools/sockets.ts';
import { curl, headersOf } from './curl.ts';
import { HTTP_CLIENTS, requests, urlHost } from './http-clients.ts';
import { namedIn, nameFrom, saveTo } from './saved.ts';

function wget(call: Call): string {
  const sends = call.has('--post-data', '--post-file', '--body-data', '--body-file');
  for (const word of call.values('--post-file', '--body-file', '--input-file')) call.read(word);
  const method = call.value('--method')?.text ?? (sends ? 'POST' : 'GET');
  for (const word of call.operands) {
    call.network({ host: urlHost(word), url: word.text, method, sends });
    const body = [
      ...call.values('--post-data', '--body-data').map(({ template }) => template),
      ...call.values('--post-file', '--body-file').map((file) => scriptFile(call, file).template),
    ];
    requests(call, word, { method, body: body.join('&'), ...headersOf(call) });
    const folder = call.value('--directory-prefix');
    // An address without a file name is saved as an index file.
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

/** Reports mail to many: the recipients come from a file, the network or a list. */
function mail(call: Call): undefined {
  const { walk, operands } = call;
  const isListed = operands.some(({ template }) =>
    walk.originsOf(marksIn(template)).some(({ kind }) => kind === 'file' || kind === 'network'),
  );
  if (isListed || walk.frame.via.some((name) => /^(?:xargs|parallel)$/.test(name)))
    call.resource('mail', 'send', false, null);
}

/** Sends its input over a connection: telnet, and similar programs for web sockets and TLS. */
function passesOn(call: Call): undefined {
  const word = call.operands[0];
  const sends = call.command.stdin.from !== 'terminal';
  call.network({ host: word ? urlHost(word) : null, url: word?.text ?? null, sends });
}

/** Programs with commands for sending: `put x`, in a script or on their input. */
function sendsTo(call: Call): undefined {
  const word = call.operands[0];
  sendsByWords(call, [...call.values('-e', '-c', '--command'), ...call.operands.slice(1)]);
  call.network({ host: word ? urlHost(word) : null, url: word?.text ?? null, sends: true });
}

/** Files named by such commands, in words or on the input. */
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
  // Starts a program with the downloaded file.
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
  mail,
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
