import { type Stdin, UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import type { CodeTable } from '../tool.ts';
import { makeWord } from '../word.ts';

/** What tar feeds to a program: a file of the archive, or all of it. */
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
  // The archive path is relative to where tar starts, its content to where tar changes to.
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

/** `tar xfC a.tar /x`: the values of the letters follow in order. */
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

/** Paths in an archive may start at the root directory. */
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

/** gzip and similar programs replace their input file. */
function compress(call: Call): undefined {
  for (const word of call.operands) {
    call.read(word);
    if (call.has('--stdout', '--list', '--test')) continue;
    const unpacked = word.template.replace(/\.(?:gz|tgz|Z|bz2|xz|lzma|zst)$/, '');
    if (unpacked !== word.template) call.write(makeWord(unpacked, word.raw, word.glob));
    if (!call.has('--keep')) call.write(word);
  }
}

function sevenZip(call: Call): undefined {
  const [archive, ...files] = call.operands;
  const packs = /^[aud]$/.test(call.command.sub[0] ?? '');
  if (packs) call.write(archive ?? null);
  else call.read(archive ?? null);
  for (const word of packs ? files : []) call.read(word);
  if (packs && call.value('-s')?.text === 'del') for (const word of files) call.remove(word, true, true);
  if (/^[ex]$/.test(call.command.sub[0] ?? '')) call.write(call.value('-o') ?? literal('.'), { below: true });
}

export const ARCHIVES: CodeTable = { '7z': sevenZip, compress, cpio, jar, tar, unzip, zip };
