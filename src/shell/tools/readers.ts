import type { Call } from '../call.ts';
import { literal } from '../call.ts';
import type { Tool, ToolTable } from '../tool.ts';
import { whereIs } from '../word.ts';
import { awk, sed } from './editors.ts';

/** Reads the files it names. */
const reader = (options = '', skip = 0): Tool => ({ options, operands: 'read', skip });

const GREP =
  'e,regexp= f,file= A,after-context= B,before-context= C,context= m,max-count= E,extended-regexp F,fixed-strings ' +
  'G P,perl-regexp i,ignore-case v,invert-match w x c,count l,files-with-matches L n,line-number o q,quiet s r,recursive ' +
  'R H h a I z Z include= exclude= exclude-dir= color? d= D= label= g,glob= t,type= T,type-not= j= S U M hidden no-ignore ' +
  'pre= replace= sort= json vimgrep';

function grep(call: Call): undefined {
  const explicit = call.has('--regexp', '--file');
  for (const file of call.values('--file')) call.read(file);
  const files = call.operands.slice(explicit ? 0 : 1);
  for (const word of files) call.read(word);
  if (files.length === 0 && call.command.stdin.from === 'terminal') call.read(literal('.'));
  const preprocessor = call.value('--pre');
  if (preprocessor) call.runArgv([preprocessor]);
}

/** The second file of `uniq` and friends is written. */
function readThenWrite(call: Call): undefined {
  call.read(call.operands[0] ?? null);
  call.write(call.operands[1] ?? null);
}

/** Programs that read files; some of them write as well, which is why they are here one by one. */
export const READERS: ToolTable = {
  head: reader('c,bytes= n,lines= q v z 0 1 2 3 4 5 6 7 8 9'),
  tail: reader('c,bytes= n,lines= f F,follow? q v z s,sleep-interval= pid= r 0 1 2 3 4 5 6 7 8 9'),
  less: reader('N n S R F X i I p= o='),
  more: reader(),
  bat: reader('l,language= p,plain n,number r,line-range= A H,highlight-line= style= theme= paging= color='),
  nl: reader('b= f= h= i= l= n= s= v= w='),
  tac: reader('b r s='),
  cut: reader('b,bytes= c,characters= d,delimiter= f,fields= s z output-delimiter= complement'),
  wc: reader('c l m w L files0-from='),
  strings: reader('a n= t= e='),
  od: reader('A= j= N= t= v w?'),
  hexdump: reader('C b c d e= f= n= o s= v x'),
  file: reader('b i L z m= f='),
  stat: reader('c,format= f L t printf='),
  md5sum: reader('b c t'),
  sha1sum: reader('b c t'),
  sha256sum: reader('b c t'),
  sha512sum: reader('b c t'),
  shasum: reader('a= b c t'),
  cksum: reader('a='),
  diff: reader('u U= c C= r q i w b B N x= X= y W= color? exclude= brief recursive unified?'),
  cmp: reader('b i= l n= s'),
  comm: reader('1 2 3'),
  join: reader('1= 2= a= e= j= o= t= v='),
  paste: reader('d= s z'),
  fold: reader('b s w='),
  column: reader('t s= n c= o= N='),
  jq: {
    ...reader('c e r j a s n S f,from-file= arg= argjson= slurpfile= rawfile= indent= tab C M', 1),
    reads: ['--from-file'],
  },
  yq: { ...reader('e i,inplace n o,output-format= P r,raw-output p,input-format=', 1) },
  ls: reader(
    'a A l h r t S R d F i 1 color? I= w= g G n o p s L time= sort= all almost-all human-readable recursive',
  ),
  tree: reader('a d L= I= P= f p s h D F o= J C'),
  du: reader('a b c d,max-depth= h s k m x exclude= t='),
  readlink: reader('f e m n'),
  realpath: reader('e m s z relative-to= relative-base='),
  grep: { options: GREP, run: grep },
  egrep: { options: GREP, run: grep },
  fgrep: { options: GREP, run: grep },
  rg: { options: GREP, run: grep },
  ag: { options: GREP, run: grep },
  ack: { options: GREP, run: grep },
  sort: {
    ...reader(
      'o,output= k,key= t,field-separator= S= T= b d f g h i M n R r u,unique z c s m V parallel= compress-program= files0-from=',
    ),
    writes: ['--output'],
    run: (call) => {
      const program = call.value('--compress-program');
      if (program) call.runArgv([program]);
      return undefined;
    },
  },
  uniq: { options: 'c d D u i f= s= w= z', run: readThenWrite },
  split: {
    options: 'a= b= C= d e l= n= filter= x',
    run: (call) => {
      call.read(call.operands[0] ?? null);
      const filter = call.value('--filter');
      if (filter) call.runText(filter.template);
      return undefined;
    },
  },
  sed: sed,
  awk: awk,
  ed: { options: 's p= v', operands: 'write' },
  ex: { options: 's c= R', operands: 'write' },
  nano: { options: 'B E i l', operands: 'write' },
  pbcopy: {},
  xclip: { singleDash: true, options: 'selection= i o' },
  man: {},
  which: { options: 'a s', run: (call) => whereIs(call.operands[0]) },
  type: { options: 'a f p P t' },
  whereis: { options: 'b m s u B= M= S=' },
  hash: { options: 'd l p= r t' },
  help: {},
  date: { options: 'd,date= f= r= s,set= u I? R' },
  sleep: {},
  seq: {},
  basename: {},
  dirname: {},
  whoami: {},
  id: {},
  uname: {},
  hostname: {},
  yes: {},
  tty: {},
  clear: {},
  ps: {},
  top: {},
  df: {},
  free: {},
  uptime: {},
  history: { options: 'c d= a n r w p s' },
  disown: {},
  jobs: {},
  fg: {},
  bg: {},
};
