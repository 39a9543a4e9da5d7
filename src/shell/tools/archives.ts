import { type Stdin, UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import type { ToolTable } from '../tool.ts';
import { makeWord } from '../word.ts';

/** What a program is fed by tar: a file of the archive, or all of it. */
const MEMBER: Stdin = { from: 'pipe', text: null, template: UNKNOWN, sources: [] };

/** `tar xf a.tar` is `tar -xf a.tar`: the first word may be a bundle without its dash. */
function tar(call: Call): string {
  const { argv } = call.command;
  const [bundle] = call.operands;
  const old =
    argv[1]?.text != null && /^[A-Za-z]+$/.test(argv[1].text) && bundle === argv[1] ? argv[1].text : '';
  const has = (letter: string, name: string): boolean => old.includes(letter) || call.has(name);
  const { values, members } = oldStyle(old, call.operands);
  const given = (letter: string, ...names: string[]): Word[] => [
    ...call.values(...names),
    ...values.flatMap(([of, word]) => (of === letter ? [word] : [])),
  ];
  const archive = given('f', '--file').at(0) ?? null;
  const directory = given('C', '--directory').at(-1) ?? null;
  for (const list of [...given('T', '--files-from'), ...given('X', '--exclude-from')]) call.read(list);
  const makes = has('c', '--create') || has('r', '--append') || has('u', '--update');
  // The archive lies where tar starts, what is in it where tar goes.
  if (makes && !has('x', '--extract')) call.write(archive);
  else call.read(archive);
  if (directory) call.cwd = call.path(directory).path;
  if (has('x', '--extract')) {
    if (!has('O', '--to-stdout')) call.write(makeWord('.', directory?.raw ?? '.'), { below: true });
    if (!has('O', '--to-stdout') && has('P', '--absolute-names')) anywhere(call);
  } else if (makes) {
    for (const word of members) call.read(word);
    if (call.has('--remove-files')) for (const word of members) call.remove(word, true, true);
  }
  for (const script of [
    ...given('I', '--use-compress-program'),
    ...given('F', '--info-script', '--new-volume-script'),
    ...call.values('--to-command', '--checkpoint-action', '--rsh-command', '--rmt-command'),
  ]) {
    const text = script.template.replace(/^exec=/, '');
    if (text !== script.template || !script.template.includes('=')) call.runText(text, { stdin: MEMBER });
  }
  return UNKNOWN;
}

/** `tar xfC a.tar /x`: the values of the letters follow in their order. */
function oldStyle(
  letters: string,
  operands: readonly Word[],
): { readonly values: readonly (readonly [string, Word])[]; readonly members: readonly Word[] } {
  if (letters === '') return { values: [], members: operands };
  const taking = [...letters].filter((letter) => 'fCTXIFbgHKLNV'.includes(letter));
  const words = operands.slice(1);
  const values = taking.flatMap((letter, at) => {
    const word = words[at];
    return word ? [[letter, word] as const] : [];
  });
  return { values, members: words.slice(taking.length) };
}

/** The names in an archive count from the root of the machine. */
function anywhere(call: Call): void {
  call.write(literal('/'), { below: true });
}

function cpio(call: Call): undefined {
  if (call.has('-i') && call.has('--absolute-filenames')) anywhere(call);
}

function jar(call: Call): undefined {
  const [mode] = call.operands;
  if (/^-?[a-zA-Z]*x[a-zA-Z]*$/.test(mode?.text ?? '') && mode?.text?.includes('P')) anywhere(call);
}

function unzip(call: Call): undefined {
  call.read(call.operands[0] ?? null);
  if (!call.has('-l', '-t', '-v', '-p')) call.write(call.value('-d') ?? literal('.'), { below: true });
}

function zip(call: Call): undefined {
  const [archive, ...files] = call.operands;
  call.write(archive ?? null);
  for (const word of files) call.read(word);
  if (call.has('-m')) for (const word of files) call.remove(word, true, false);
  // `-TT` is an option of two letters.
  const { argv } = call.command;
  const command =
    call.value('--unzip-command') ?? argv[argv.findIndex((word) => word.text === '-TT') + 1 || argv.length];
  if (command) call.runText(command.template);
  for (const { template } of argv) if (/^-TT./s.test(template)) call.runText(template.slice(3));
}

/** gzip and kin replace the file they are given. */
function compress(call: Call): undefined {
  for (const word of call.operands) {
    call.read(word);
    if (call.has('--stdout', '--list', '--test')) continue;
    const unpacked = word.template.replace(/\.(?:gz|tgz|Z|bz2|xz|lzma|zst)$/, '');
    if (unpacked !== word.template) call.write(makeWord(unpacked, word.raw, word.glob));
    if (!call.has('--keep')) call.write(word);
  }
}

const GZIP = 'c,stdout d,decompress f,force k,keep l,list n q r S= t,test v 1 2 3 4 5 6 7 8 9 T=';

export const ARCHIVES: ToolTable = {
  tar: {
    options:
      'x,extract c,create t,list r,append u,update f,file= C,directory= z,gzip j,bzip2 J,xz a v,verbose p h k m O,to-stdout ' +
      'T,files-from= X,exclude-from= exclude= strip-components= transform= I,use-compress-program= to-command= checkpoint? ' +
      'checkpoint-action= F,info-script= new-volume-script= rmt-command= rsh-command= remove-files overwrite P,absolute-names one-file-system owner= group= zstd',
    run: tar,
  },
  bsdtar: {
    options:
      'x,extract c,create t,list r u f,file= C,directory= z j J v O,to-stdout P,absolute-names T,files-from= X,exclude-from= ' +
      'use-compress-program= s= exclude= strip-components=',
    run: tar,
  },
  unzip: { options: 'd= l t v p q o n j x= P= a u', run: unzip },
  zip: { options: 'r m q j 9 x= i= P= e T unzip-command= u d', run: zip },
  '7z': {
    sub: 1,
    options: 'y o= s= p= t= m= r= x= i= a= b',
    run: (call) => {
      const [archive, ...files] = call.operands;
      const packs = /^[aud]$/.test(call.command.sub[0] ?? '');
      if (packs) call.write(archive ?? null);
      else call.read(archive ?? null);
      for (const word of packs ? files : []) call.read(word);
      if (packs && call.value('-s')?.text === 'del') for (const word of files) call.remove(word, true, true);
      if (/^[ex]$/.test(call.command.sub[0] ?? ''))
        call.write(call.value('-o') ?? literal('.'), { below: true });
      return undefined;
    },
  },
  gzip: { options: GZIP, run: compress },
  gunzip: { options: GZIP, run: compress },
  bzip2: { options: GZIP, run: compress },
  xz: { options: GZIP, run: compress },
  zstd: { options: GZIP, run: compress },
  zcat: { operands: 'read' },
  cpio: {
    options: 'i o p d v m u H= F= I= O= E= absolute-filenames no-absolute-filenames',
    writes: ['-F', '-O'],
    run: cpio,
  },
  jar: { run: jar },
};
