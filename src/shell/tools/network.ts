import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import type { ToolTable } from '../tool.ts';
import { tail } from '../word.ts';
import { HTTP_CLIENTS, requests, urlHost } from './http-clients.ts';
import { netcat, socat } from './sockets.ts';

const DATA = [
  '--data',
  '--data-raw',
  '--data-binary',
  '--data-urlencode',
  '--data-ascii',
  '--json',
  '--form',
  '--form-string',
  '--upload-file',
];

/** Files that stand behind an @ in what is sent. */
function readData(call: Call): void {
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
    const named = call.value('--output-document') ?? nameFrom(word, call.value('--directory-prefix'));
    saveTo(call, named, call.operands);
  }
  for (const word of call.values('--output-file', '--append-output', '--save-cookies')) call.write(word);
  const program = call.value('--use-askpass');
  if (program) call.runArgv([program]);
  return UNKNOWN;
}

function talksTo(position: number): (call: Call) => undefined {
  return (call) => {
    const word = call.operands[position];
    call.network({ host: word ? urlHost(word) : null, url: word?.text ?? null });
    return undefined;
  };
}

/** What comes in goes out through a connection: telnet, and its kin for web sockets and TLS. */
function passesOn(position: number): (call: Call) => undefined {
  return (call) => {
    const word = call.operands[position];
    const sends = call.command.stdin.from !== 'terminal';
    call.network({ host: word ? urlHost(word) : null, url: word?.text ?? null, sends });
    return undefined;
  };
}

/** Programs with words of their own for what to send: `put x`, in a script or on their input. */
function sendsTo(position: number): (call: Call) => undefined {
  return (call) => {
    const word = call.operands[position];
    sendsByWords(call, [...call.values('-e', '-c', '--command'), ...call.operands.slice(position + 1)]);
    call.network({ host: word ? urlHost(word) : null, url: word?.text ?? null, sends: true });
    return undefined;
  };
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

const CURL =
  'd,data= data-raw= data-binary= data-urlencode= data-ascii= json= F,form= form-string= T,upload-file= X,request= o,output= ' +
  'O,remote-name remote-name-all output-dir= url= H,header= A,user-agent= b,cookie= c,cookie-jar= C,continue-at= D,dump-header= ' +
  'e,referer= E,cert= key= cacert= capath= f,fail fail-with-body G,get g,globoff I,head i,include J,remote-header-name ' +
  'K,config= k,insecure L,location location-trusted l,list-only m,max-time= M,manual n,netrc netrc-file= N,no-buffer P,ftp-port= ' +
  'p,proxytunnel q,disable Q,quote= R,remote-time r,range= s,silent S,show-error t,telnet-option= u,user= U,proxy-user= ' +
  'v,verbose V,version w,write-out= x,proxy= Y,speed-limit= y,speed-time= z,time-cond= Z,parallel #,progress-bar 0,http1.0 1,tlsv1 ' +
  '2,sslv2 3,sslv3 4,ipv4 6,ipv6 :,next connect-timeout= retry= retry-delay= retry-max-time= max-redirs= resolve= connect-to= ' +
  'unix-socket= interface= ciphers= oauth2-bearer= aws-sigv4= create-dirs compressed trace= trace-ascii= stderr= socks5= ' +
  'socks5-hostname= dns-servers= doh-url= limit-rate= max-filesize= proto= tls-max= cert-type= pass= noproxy= preproxy= http2 http1.1 no-progress-meter';

/** Who asks, and how: without these no call of an API could be made. */
const CURL_USES = [
  ...[
    '--header',
    '--user',
    '--cookie',
    '--user-agent',
    '--referer',
    '--proxy',
    '--proxy-user',
    '--oauth2-bearer',
  ],
  ...['--cert', '--key', '--cacert', '--config', '--netrc-file', '--pass', '--aws-sigv4', '--output'],
];

export const NETWORK: ToolTable = {
  ...HTTP_CLIENTS,
  curl: { options: CURL, run: curl, uses: CURL_USES, inputIfTold: true },
  curlie: { options: CURL, run: curl, uses: CURL_USES, inputIfTold: true },
  wget: {
    options:
      'O,output-document= o,output-file= a,append-output= P,directory-prefix= i,input-file= post-data= post-file= body-data= ' +
      'body-file= method= header= e,execute= U,user-agent= q,quiet v c,continue N,timestamping r,recursive l,level= np nc nv nd nH ' +
      'T,timeout= t,tries= w,wait= A,accept= R,reject= D,domains= I= X= k p m,mirror no-check-certificate user= password= ' +
      'use-askpass= load-cookies= save-cookies= b,background S,server-response spider x n',
    uses: ['--header', '--user', '--password', '--user-agent', '--load-cookies', '--output-document'],
    inputIfTold: true,
    run: wget,
  },
  wget2: {
    options:
      'O,output-document= P,directory-prefix= q,quiet method= header= body-data= body-file= post-data= post-file=',
    run: wget,
  },
  aria2c: {
    options: 'o,out= d,dir= x= s= i,input-file= c q',
    run: (call) => {
      // It starts a program with the file that it has just fetched.
      const follows = call.command.options.some(({ name }) => /^--on-(?:bt-)?download-complete$/.test(name));
      if (follows) call.execute('network');
      for (const word of call.operands) {
        call.network({ host: urlHost(word), url: word.text });
        saveTo(
          call,
          namedIn(call.value('--dir'), call.value('--out')) ?? nameFrom(word, call.value('--dir')),
          call.operands,
        );
      }
      return undefined;
    },
  },
  'lwp-download': {
    options: 'a s',
    run: (call) => {
      const [url, file] = call.operands;
      if (!url) return undefined;
      call.network({ host: urlHost(url), url: url.text });
      saveTo(call, file ?? nameFrom(url, null), [url]);
      return undefined;
    },
  },
  fetch: { options: 'o,output= q', run: curl },
  nc: {
    options:
      'e,exec= c,sh-exec= l,listen p= s= w= q= i= I= O= P= x= X= T= V= 4 6 b C D d F h k N n r S t U u v Z z',
    run: netcat,
  },
  ncat: {
    options:
      'e,exec= c,sh-exec= lua-exec= l,listen p,source-port= s,source= w,wait= k,keep-open u,udp v ssl proxy= allow= n U,unixsock',
    run: netcat,
  },
  netcat: { options: 'e,exec= c,sh-exec= l,listen p= s= w= q= k n u U v z', run: netcat },
  socat: { options: 'd D h v x u U l= t= T= b= s', run: socat },
  telnet: { options: 'l= 4 6', run: passesOn(0) },
  websocat: { options: 'b,binary t,text 1,one-message n k,insecure H,header= E q v u U', run: passesOn(0) },
  'gnutls-cli': { options: 'p,port= insecure x509cafile= s,starttls d,debug= V', run: passesOn(0) },
  cryptcat: { options: 'k= l p= e= v n w=', run: passesOn(0) },
  sbd: { options: 'l p= e= c= k= v n w=', run: passesOn(0) },
  ftp: { options: 'i n v p', run: sendsTo(0) },
  lftp: { options: 'e= c= u= p= f=', run: sendsTo(0) },
  smbclient: { options: 'c,command= U,user= N,no-pass A= p= I= W= D=', run: sendsTo(0) },
  tftp: { options: 'm= c v 4 6', run: sendsTo(0) },
  ping: { options: 'c= i= w= W= s= t= I= 4 6 q n', run: talksTo(0) },
  dig: {
    run: (call) =>
      void call.network({ host: call.operands.find((word) => !word.template.startsWith('@'))?.text ?? null }),
  },
  nslookup: { run: talksTo(0) },
  host: { options: 't= W= R= a v', run: talksTo(0) },
  nmap: { options: 'p= o= i= s= T= A v n P=', run: talksTo(0) },
  ngrok: { sub: 1, run: (call) => void call.network({ direction: 'in' }) },
  cloudflared: { sub: 1, run: (call) => void call.network({ direction: 'in' }) },
};
