import { type Stdin, UNKNOWN } from '../analysis.ts';
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
  const rest = old === '' ? call.operands : call.operands.slice(1);
  const archive = call.value('--file') ?? (old.includes('f') ? (rest[0] ?? null) : null);
  const members = old.includes('f') && archive === rest[0] ? rest.slice(1) : rest;
  const directory = call.value('--directory');
  for (const list of call.values('--files-from', '--exclude-from')) call.read(list);
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
  for (const script of call.values(
    '--to-command',
    '--use-compress-program',
    '--checkpoint-action',
    '--info-script',
    '--rsh-command',
  )) {
    const text = script.template.replace(/^exec=/, '');
    if (text !== script.template || !script.template.includes('=')) call.runText(text, { stdin: MEMBER });
  }
  return UNKNOWN;
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
}

/** gzip and kin replace the file they are given. */
function compress(call: Call): undefined {
  for (const word of call.operands) {
    call.read(word);
    if (!call.has('--stdout', '--keep', '--list', '--test')) call.write(word);
  }
}

const GZIP = 'c,stdout d,decompress f,force k,keep l,list n q r S= t,test v 1 2 3 4 5 6 7 8 9 T=';

export const ARCHIVES: ToolTable = {
  tar: {
    options:
      'x,extract c,create t,list r,append u,update f,file= C,directory= z,gzip j,bzip2 J,xz a v,verbose p h k m O,to-stdout ' +
      'T,files-from= X,exclude-from= exclude= strip-components= transform= I,use-compress-program= to-command= checkpoint? ' +
      'checkpoint-action= F,info-script= rsh-command= remove-files overwrite P,absolute-names one-file-system owner= group= zstd',
    run: tar,
  },
  bsdtar: {
    options: 'x,extract c,create t,list f,file= C,directory= z j J v O,to-stdout P,absolute-names',
    run: tar,
  },
  unzip: { options: 'd= l t v p q o n j x= P= a u', run: unzip },
  zip: { options: 'r m q j 9 x= i= P= e T unzip-command= u d', run: zip },
  '7z': {
    sub: 1,
    options: 'y',
    run: (call) => {
      const [archive, ...files] = call.operands;
      const packs = /^[aud]$/.test(call.command.sub[0] ?? '');
      if (packs) call.write(archive ?? null);
      else call.read(archive ?? null);
      for (const word of packs ? files : []) call.read(word);
      if (/^[ex]$/.test(call.command.sub[0] ?? '')) call.write(literal('.'), { below: true });
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
