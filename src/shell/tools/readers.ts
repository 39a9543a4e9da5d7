import { UNKNOWN, type Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { literal } from '../call.ts';
import { isUnknown } from '../marks.ts';
import type { Tool, ToolTable } from '../tool.ts';
import { makeWord, whereIs } from '../word.ts';
import { filesMatched } from '../wrappers/printed.ts';
import { awk, sed } from './editors.ts';
import { scriptFile, scriptInput } from './shells.ts';

/** Reads the files it names. */
const reader = (options = '', skip = 0): Tool => ({ options, operands: 'read', skip });

/** Says something about the files it names, but not what is in them. */
const teller = (options = '', skip = 0): Tool => ({ ...reader(options, skip), about: true });

const GREP =
  'e,regexp= f,file= A,after-context= B,before-context= C,context= m,max-count= E,extended-regexp F,fixed-strings ' +
  'G P,perl-regexp i,ignore-case v,invert-match w x c,count l,files-with-matches L n,line-number o q,quiet s r,recursive ' +
  'R H h a I z Z include= exclude= exclude-dir= color? d= D= label= g,glob= t,type= T,type-not= j= S U M hidden no-ignore ' +
  'pre= replace= sort= json vimgrep files';

/** Files that are read besides those that the operands name. */
const withLists = (tool: Tool, ...reads: string[]): Tool => ({ ...tool, reads });

const GREP_ABOUT = ['--count', '--files-with-matches', '-L', '--quiet'];

function grep(call: Call): string | undefined {
  const explicit = call.has('--regexp', '--file');
  for (const file of call.values('--file')) call.read(file);
  const files = call.operands.slice(explicit ? 0 : 1);
  for (const word of files) call.read(word);
  if (files.length === 0 && call.command.stdin.from === 'terminal') call.read(literal('.'));
  for (const word of searchedNames(call, files)) call.read(word);
  const preprocessor = call.value('--pre');
  if (preprocessor) call.runArgv([preprocessor]);
  const matched = filesMatched(call.command);
  return matched.length === 0 ? undefined : call.walk.nameAmong(matched);
}

/** A search through a folder by the names of files: those are read, whatever else is not. */
function searchedNames(call: Call, files: readonly Word[]): readonly Word[] {
  const isSearch = /^(?:rg|ag|ack)$/.test(call.name) || call.has('--recursive', '-R');
  const patterns = isSearch ? call.values('--include', '--glob') : [];
  const folders = files.length === 0 ? [literal('.')] : files;
  return patterns
    .filter(({ template }) => !template.startsWith('!'))
    .flatMap(({ template, raw }) => {
      const below = template.includes('/') ? template.replace(/^\/+/, '') : `**/${template}`;
      return folders.map((folder) => makeWord(`${folder.template.replace(/\/$/, '')}/${below}`, raw, true));
    });
}

/** The names that a folder holds, or those that it is given. */
function listed(call: Call): string {
  const given = call.operands.length > 0 ? call.operands : [literal('.')];
  const inside = call.has('-a', '-A', '--all', '--almost-all') ? '{*,.*}' : '*';
  const within = given.map(({ template, raw }) =>
    makeWord(`${template.replace(/\/$/, '')}/${inside}`, raw, true),
  );
  const isNamed = ({ glob }: Word) => glob || call.has('-d');
  return call.walk.nameAmong([...given.filter(isNamed), ...(call.has('-d') ? [] : within)]);
}

/** `--rawfile name file`: the first word behind it is a name. */
function jq(call: Call): undefined {
  const { argv } = call.command;
  for (const [at, { text }] of argv.entries())
    if (text === '--rawfile' || text === '--slurpfile') call.read(argv[at + 2] ?? null);
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
  wc: withLists(teller('c l m w L files0-from='), '--files0-from'),
  strings: reader('a n= t= e='),
  od: reader('A= j= N= t= v w?'),
  hexdump: reader('C b c d e= f= n= o s= v x'),
  file: withLists(teller('b i L z m,magic-file= f,files-from='), '--files-from', '--magic-file'),
  stat: teller('c,format= f L t printf='),
  md5sum: teller('b c t'),
  sha1sum: teller('b c t'),
  sha256sum: teller('b c t'),
  sha512sum: teller('b c t'),
  shasum: teller('a= b c t'),
  cksum: teller('a='),
  diff: withLists(
    reader(
      'u U= c C= r q i w b B N x= X,exclude-from= y W= color? exclude= brief recursive unified? from-file= to-file=',
    ),
    '--exclude-from',
    '--from-file',
    '--to-file',
  ),
  cmp: teller('b i= l n= s'),
  comm: reader('1 2 3'),
  join: reader('1= 2= a= e= j= o= t= v='),
  paste: reader('d= s z'),
  fold: reader('b s w='),
  column: reader('t s= n c= o= N='),
  jq: {
    ...reader('c e r j a s n S f,from-file= arg= argjson= slurpfile= rawfile= indent= tab C M', 1),
    reads: ['--from-file'],
    run: jq,
  },
  yq: { ...reader('e i,inplace n o,output-format= P r,raw-output p,input-format=', 1) },
  ls: {
    ...teller(
      'a A l h r t S R d F i 1 color? I= w= g G n o p s L time= sort= all almost-all human-readable recursive',
    ),
    run: listed,
  },
  tree: { ...teller('a d L= I= P= f p s h D F o= J C'), writes: ['-o'] },
  du: withLists(
    teller('a b c d,max-depth= h s k m x exclude= t= files0-from= X,exclude-from='),
    '--files0-from',
    '--exclude-from',
  ),
  readlink: teller('f e m n'),
  realpath: teller('e m s z relative-to= relative-base='),
  grep: { options: GREP, run: grep, aboutWith: GREP_ABOUT },
  egrep: { options: GREP, run: grep, aboutWith: GREP_ABOUT },
  fgrep: { options: GREP, run: grep, aboutWith: GREP_ABOUT },
  rg: { options: GREP, run: grep, aboutWith: GREP_ABOUT },
  ag: { options: GREP, run: grep, aboutWith: GREP_ABOUT },
  ack: { options: GREP, run: grep, aboutWith: GREP_ABOUT },
  sort: {
    ...reader(
      'o,output= k,key= t,field-separator= S= T= b d f g h i M n R r u,unique z c s m V parallel= compress-program= files0-from=',
    ),
    reads: ['--files0-from'],
    writes: ['--output'],
    run: (call) => {
      const program = call.value('--compress-program');
      if (program) call.runArgv([program]);
      return undefined;
    },
  },
  shuf: {
    ...reader('e,echo i,input-range= n,head-count= o,output= r z random-source='),
    writes: ['--output'],
  },
  bc: reader('s l q w i'),
  'json.tool': {
    options: 'sort-keys no-ensure-ascii json-lines indent= tab no-indent compact',
    run: readThenWrite,
  },
  uniq: { options: 'c d D u i f= s= w= z', run: readThenWrite },
  split: {
    options: 'a= b= C= d e l= n= filter= x',
    run: (call) => {
      const [input, prefix] = call.operands;
      call.read(input ?? null);
      if (prefix) call.write(literal(`${prefix.template}${UNKNOWN}`));
      // Of a short text the first part is all of it.
      const whole = input && input.text !== '-' ? scriptFile(call, input) : scriptInput(call);
      if (!isUnknown(whole.template)) call.leaves(literal(`${prefix?.template ?? 'x'}aa`), whole);
      const filter = call.value('--filter');
      if (filter) call.runText(filter.template);
      return undefined;
    },
  },
  sed: sed,
  awk: awk,
  ex: { options: 's c= R', operands: 'write' },
  nano: { options: 'B E i l', operands: 'write' },
  iconv: { ...reader('f,from-code= t,to-code= o,output= c s l'), writes: ['--output'] },
  ccencrypt: {
    options: 'e d k,keyfile= K,key= E,envvar= f,force r,recursive S,suffix= q',
    operands: 'write',
  },
  dos2unix: { options: 'n,newfile o k q c= f b', operands: 'write' },
  unix2dos: { options: 'n,newfile o k q c= f b', operands: 'write' },
  pbcopy: {},
  xclip: { singleDash: true, options: 'selection= i o' },
  man: {},
  apropos: {},
  whatis: {},
  info: {},
  tldr: {},
  getent: {},
  which: { options: 'a s', run: (call) => whereIs(call.operands[0]) },
  type: { options: 'a f p P t' },
  whereis: { options: 'b m s u B= M= S=' },
  hash: { options: 'd l p= r t' },
  help: {},
  date: { options: 'd,date= f,file= r,reference= s,set= u I? R', reads: ['--file', '--reference'] },
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
