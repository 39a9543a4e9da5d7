import { isReadingAwk, isReadingJq, isReadingSed, WIDE_FIELD } from './languages.ts';
import { type Given, has, isPattern, type Reader, type ReaderTable, textOf } from './reader.ts';

const reader = (options = '', more: Partial<Reader> = {}): Reader => ({
  options,
  operands: 'contents',
  ...more,
});
const teller = (options = '', more: Partial<Reader> = {}): Reader => ({
  options,
  operands: 'names',
  ...more,
});
const speaker = (options = '', more: Partial<Reader> = {}): Reader => ({
  options,
  operands: 'text',
  ...more,
});
const alone = (options = ''): Reader => ({ options, operands: 'none' });

export const DIGITS = '0 1 2 3 4 5 6 7 8 9';

const GREP: Reader = reader(
  'E,extended-regexp F,fixed-strings G,basic-regexp P,perl-regexp i,ignore-case y v,invert-match w,word-regexp ' +
    'x,line-regexp c,count l,files-with-matches L,files-without-match n,line-number o,only-matching q,quiet silent ' +
    's,no-messages H,with-filename h,no-filename a,text I z,null-data Z,null b,byte-offset T,initial-tab ' +
    'A,after-context= B,before-context= C,context= m,max-count= e,regexp= color? colour? include= exclude= ' +
    `exclude-dir= r,recursive line-buffered ${DIGITS}`,
  { skip: 1, skipUnless: ['--regexp'], below: ['--recursive'], here: ['--recursive'] },
);

const checksum = (more = ''): Reader => reader(`b,binary t,text tag z,zero ${more}`);

/** What they would write is named by a second word, and a pattern comes to as many words as there are files. */
const onlyOne = ({ operands }: Given): boolean => operands.length < 2 && !operands.some(isPattern);

/** No line is as long as the memory. */
const narrow = ({ options }: Given): boolean =>
  options.every(({ value }) => !/\d{5}/.test(value?.template ?? ''));

/** The tools that come with compilers take more words, and so more files, from one that is named like this. */
const noLists = ({ operands }: Given): boolean => !operands.some(({ template }) => template.startsWith('@'));

const MAX_COUNT = 1_000_000;

function countsBriefly({ operands }: Given): boolean {
  if (!operands.every(isShortNumber)) return false;
  const [first = 1, second = 1, third] = operands.map(({ template }) => Number(template));
  const [from, step, to] =
    third === undefined ? [0, 1, Math.abs(first) + Math.abs(second)] : [first, second, third];
  return step !== 0 && Math.abs((to - from) / step) <= MAX_COUNT;
}

/** No longer than a screen or two; a longer one has no end that anybody waits for. */
const isShortNumber = ({ template }: { readonly template: string }): boolean =>
  /^-?\d{1,6}(?:\.\d{1,3})?$/.test(template);

/** Sets a variable to how much was printed: `PATH`, for what comes next. */
const SETS = /%[^a-zA-Z%]*[hjlLtz]*n/;
const NUMBER = /%[^a-zA-Z%]*(?![sbqc])[a-zA-Z]/;

/** A wide field fills the memory, and zsh computes what stands where a number should be: `PATH=0`. */
function printsText({ operands }: Given): boolean {
  const format = textOf(operands[0]).replaceAll('%%', '');
  return (
    operands.every((word) => !/[`[]|\$\(/.test(word.template) && !isPattern(word)) &&
    !WIDE_FIELD.test(format) &&
    !SETS.test(format) &&
    !(NUMBER.test(format) && operands.slice(1).some(({ template }) => /=|\+\+|--/.test(template)))
  );
}

/** Whether one file is there, and of which kind. Numbers and variables are computed by some shells. */
function isFileTest({ operands }: Given): boolean {
  const words = operands.map(textOf).filter((word) => word !== '!' && word !== ']');
  return words.length === 2 && /^-[edfrwxsLhS]$/.test(words[0] ?? '') && !operands.some(isPattern);
}

/** Programs that only read, and the options with which they only read. */
export const PROGRAMS: ReaderTable = {
  cat: reader('A,show-all b,number-nonblank e E,show-ends n,number s,squeeze-blank t T,show-tabs u v'),
  head: reader(`c,bytes= n,lines= q,quiet silent v,verbose z ${DIGITS}`),
  tail: reader(`c,bytes= n,lines= q,quiet silent v,verbose z ${DIGITS}`),
  nl: reader('b,body-numbering= d= f= h= i= l= n= p s= v= w=', { accepts: narrow }),
  tac: reader('b r s,separator='),
  rev: reader(),
  cut: reader(
    'b,bytes= c,characters= d,delimiter= f,fields= s,only-delimited z n output-delimiter= complement',
  ),
  wc: reader('c,bytes l,lines m,chars w,words L,max-line-length'),
  sort: reader(
    'k,key= t,field-separator= b,ignore-leading-blanks d,dictionary-order f,ignore-case g,general-numeric-sort ' +
      'h,human-numeric-sort i,ignore-nonprinting M,month-sort n,numeric-sort r,reverse R,random-sort u,unique z ' +
      'c,check C s,stable V,version-sort',
  ),
  uniq: reader(
    'c,count d,repeated D u,unique i,ignore-case f,skip-fields= s,skip-chars= w,check-chars= z,zero-terminated',
    { accepts: onlyOne },
  ),
  tr: speaker('c,complement C d,delete s,squeeze-repeats t,truncate-set1'),
  fold: reader('b,bytes s,spaces w,width='),
  paste: reader('d,delimiters= s,serial z'),
  join: reader('1= 2= a= e= i j= o= t= v='),
  comm: reader('1 2 3 check-order nocheck-order output-delimiter= z'),
  column: reader('t,table s,separator= o,output-separator= N,table-columns= n x c='),
  expand: reader('i,initial t,tabs=', { accepts: narrow }),
  unexpand: reader('a,all t,tabs=', { accepts: narrow }),
  diff: reader(
    'u U= unified? c C= q,brief r,recursive i,ignore-case w,ignore-all-space b,ignore-space-change B,ignore-blank-lines ' +
      'N,new-file y,side-by-side W,width= s,report-identical-files a,text color? x,exclude= suppress-common-lines ' +
      'left-column E Z d,minimal',
    { below: ['--recursive'], follows: true },
  ),
  cmp: reader('b,print-bytes l,verbose s,silent quiet n,bytes= i,ignore-initial='),
  od: reader(
    'A,address-radix= j,skip-bytes= N,read-bytes= t,format= v,output-duplicates a b c d f i l o s x',
  ),
  hexdump: reader('C,canonical b c d n,length= s,skip= v x o'),
  xxd: reader('p,plain l= s= c= g= u b a', { accepts: onlyOne }),
  strings: reader('a n= t= e= f', { accepts: noLists }),
  md5sum: checksum(),
  sha1sum: checksum(),
  sha224sum: checksum(),
  sha256sum: checksum(),
  sha384sum: checksum(),
  sha512sum: checksum(),
  shasum: checksum('a,algorithm='),
  cksum: checksum('a,algorithm='),
  zcat: reader(),
  bzcat: reader(),
  xzcat: reader(),
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: reader(
    'i,ignore-case s,case-sensitive S,smart-case n,line-number N,no-line-number l,files-with-matches files-without-match ' +
      'c,count count-matches w,word-regexp x,line-regexp v,invert-match F,fixed-strings o,only-matching U,multiline ' +
      'H,with-filename I,no-filename p,pretty A,after-context= B,before-context= C,context= m,max-count= e,regexp= ' +
      'g,glob= iglob= t,type= T,type-not= r,replace= hidden no-ignore no-ignore-vcs files sort= sortr= json stats ' +
      'heading no-heading column color= max-depth= d= max-columns= M= trim vimgrep quiet q type-list P,pcre2 no-messages ' +
      'no-config 0,null',
    {
      skip: 1,
      skipUnless: ['--regexp', '--files', '--type-list'],
      below: true,
      here: true,
      visibleUnless: ['--hidden', '--glob', '--iglob'],
    },
  ),
  fd: teller(
    'H,hidden I,no-ignore t,type= e,extension= d,max-depth= g,glob i,ignore-case s,case-sensitive F,fixed-strings ' +
      'a,absolute-path E,exclude= 0,print0 p,full-path S,size= changed-within= changed-before= color=',
    { skip: 1, below: true, here: true },
  ),
  sed: reader(
    'n,quiet silent e,expression= E,regexp-extended r s,separate u,unbuffered z,null-data sandbox posix',
    {
      skip: 1,
      skipUnless: ['--expression'],
      accepts: isReadingSed,
    },
  ),
  awk: reader('F,field-separator= v,assign=', { stop: true, skip: 1, accepts: isReadingAwk }),
  jq: reader(
    'r,raw-output c,compact-output n,null-input s,slurp S,sort-keys e,exit-status j,join-output M,monochrome-output ' +
      'C,color-output a,ascii-output tab indent= R,raw-input',
    { skip: 1, accepts: isReadingJq },
  ),
  ls: teller(
    'a,all A,almost-all b B,ignore-backups c C d,directory F,classify? f g G,no-group h,human-readable i,inode k l m n ' +
      'numeric-uid-gid N o p q Q,quote-name r,reverse R,recursive s,size S t T u U v w,width= x X 1 Z color? time= sort= ' +
      'format= group-directories-first full-time time-style= si hide= I,ignore= hyperlink? author file-type ' +
      'indicator-style= block-size=',
    { here: true },
  ),
  tree: teller(
    'a d f i L= P= I= p s h u g D F N Q C n r t v J dirsfirst noreport prune gitignore filelimit= du matchdirs',
    { here: true },
  ),
  du: teller(
    'a,all b,bytes c,total h,human-readable s,summarize k m x,one-file-system d,max-depth= S,separate-dirs exclude= ' +
      'apparent-size si time? block-size= g',
    { here: true },
  ),
  stat: teller('c,format= f,file-system t,terse printf= x'),
  file: teller('b,brief i,mime h,no-dereference k mime-type mime-encoding'),
  readlink: teller('f,canonicalize e m n v z'),
  realpath: teller('e m s z q relative-to= relative-base='),
  test: teller('', { stop: true, accepts: isFileTest }),
  '[': teller('', { stop: true, accepts: isFileTest }),
  cd: teller('', {
    accepts: ({ operands }) => operands.length === 1 && textOf(operands[0]) !== '-',
    moves: true,
  }),
  df: speaker('a,all h,human-readable H i,inodes k T,print-type P l,local m total output? t,type= x='),
  basename: speaker('a,multiple s,suffix= z'),
  dirname: speaker('z'),
  which: speaker('a'),
  type: speaker('a t p P f'),
  command: speaker('v V', { accepts: (given) => has(given, ['-v', '-V']) }),
  echo: speaker('n e E', { stop: true }),
  printf: speaker('', { stop: true, accepts: printsText }),
  seq: speaker('w s=', { accepts: countsBriefly }),
  date: speaker('u,utc I? R,rfc-email rfc-3339= d,date=', {
    accepts: ({ operands }) => operands.every((word) => textOf(word).startsWith('+')),
  }),
  true: speaker(),
  false: speaker(),
  ':': speaker(),
  pwd: alone('L P'),
  whoami: alone(),
  hostname: alone('s I'),
  id: alone('u g n G r'),
  groups: alone(),
  tty: alone('s'),
  nproc: alone('all'),
  arch: alone(),
  uname: alone('a,all s n r v m p i o'),
  uptime: alone('p,pretty s,since'),
  who: alone('a b d H l m q r s t T u'),
};
