import { isLoopback } from '../../platform/loopback.ts';
import type { Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import type { Tool, ToolTable } from '../tool.ts';

function isOnlyHere(address: string): boolean {
  return /^unix:/i.test(address) || isLoopback(address) || isLoopback(address.replace(/:\d+$/, ''));
}

/** Puts a folder, with all that is in it, where other machines can get it; on this machine alone it stays where it is. */
export function serves(call: Call, folder: Word | null, address: string | null): void {
  const isOpen = address === null || !isOnlyHere(address);
  call.network({ host: isOpen ? null : 'localhost', direction: 'in', sends: isOpen });
  call.read(folder ?? literal('.'));
}

/** The word behind one of these in a command line whose options are not all known. */
export function wordAfter(argv: readonly Word[], names: RegExp): Word | null {
  for (const [at, word] of argv.entries()) {
    const [name = '', value] = word.template.split(/=(.*)/s);
    if (names.test(name)) return value === undefined ? (argv[at + 1] ?? null) : literal(value);
  }
  return null;
}

interface Server {
  readonly options: string;
  /** Options with the folder, and with the address to listen at. */
  readonly folder?: readonly string[];
  readonly address?: readonly string[];
  /** Where it listens if nobody says. */
  readonly usually?: string;
  /** It serves files only with this word before all others. */
  readonly verb?: string;
}

const server = ({ options, folder = [], address = [], usually, verb }: Server): Tool => ({
  options,
  ...(verb !== undefined && { sub: 1 }),
  run: (call) => {
    if (verb !== undefined && call.command.sub[0] !== verb) return undefined;
    const place =
      call.value(...folder) ?? (folder.length > 0 && verb !== undefined ? null : call.operands[0]);
    const where = call.value(...address)?.text ?? usually ?? null;
    serves(call, place ?? null, where === null ? null : where.replace(/^tcp:\/\//, ''));
    return undefined;
  },
});

/** Programs that hand out the files of a folder to whoever asks. */
export const FILE_SERVERS: ToolTable = {
  serve: server({
    options:
      'l,listen= p,port= s,single d,debug c,config= C,cors n,no-clipboard u,no-compression L,no-request-logging S,symlinks',
    address: ['--listen'],
  }),
  'http-server': server({
    options: 'p,port= a= d i g b e,ext= s,silent c= o? cors? P,proxy= S,ssl C,cert= K,key=',
    address: ['-a'],
  }),
  'live-server': server({
    options: 'port= host= open= no-browser quiet watch= ignore= mount= entry-file= wait=',
    address: ['--host'],
  }),
  darkhttpd: server({ options: 'port= addr= maxconn= log= chroot daemon', address: ['--addr'] }),
  miniserve: server({
    options: 'p,port= i,interfaces= a,auth= H,hidden index= u,upload-files? q z r g W',
    address: ['--interfaces'],
  }),
  dufs: server({
    options: 'b,bind= p,port= A,allow-all allow-upload a,auth= c,config=',
    address: ['--bind'],
  }),
  webfsd: server({ options: 'r= p= i= F R= f=', folder: ['-r'], address: ['-i'] }),
  updog: server({ options: 'd,directory= p,port= password= ssl', folder: ['--directory'] }),
  uploadserver: server({
    options: 'd,directory= b,bind= t,token=',
    folder: ['--directory'],
    address: ['--bind'],
  }),
  httpd: server({ options: 'f p= h= c= u= r= v i', folder: ['-h'], address: ['-p'] }),
  caddy: server({
    options: 'r,root= l,listen= d,domain= b,browse config= adapter= to= from=',
    folder: ['--root'],
    address: ['--listen'],
    verb: 'file-server',
  }),
  twistd: server({
    options: 'n,nodaemon path= p,port= listen= w,web',
    folder: ['--path'],
    address: ['--listen', '--port'],
    verb: 'web',
  }),
  twist: server({
    options: 'path= p,port= listen=',
    folder: ['--path'],
    address: ['--listen', '--port'],
    verb: 'web',
  }),
};
