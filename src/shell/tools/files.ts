import { dirname, resolve } from 'node:path/posix';
import type { Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { isUnknown } from '../marks.ts';
import type { ToolTable } from '../tool.ts';
import { posixPath } from '../windows-paths.ts';
import { tail } from '../word.ts';
import { writeInto } from './into.ts';

function rm(call: Call): undefined {
  const recursive = call.has('--recursive');
  const force = call.has('--force') && !call.has('--interactive', '-i');
  for (const word of call.operands) call.remove(word, recursive, force);
}

/** That of Windows removes a tree with switches of its own. */
function rmdir(call: Call): undefined {
  const isSwitch = ({ template }: Word) => /^\/[sq]$/i.test(template);
  const tree = call.operands.some(isSwitch);
  for (const word of call.operands)
    if (!isSwitch(word))
      call.remove(tree ? literal(posixPath(word.raw.replace(/['"]/g, ''))) : word, tree, tree);
}

/** The last operand, or what `-t` names, is where the others go. */
function destination(call: Call): { sources: readonly Word[]; target: Word | null } {
  const directory = call.value('--target-directory');
  if (directory) return { sources: call.operands, target: directory };
  return { sources: call.operands.slice(0, -1), target: call.operands.at(-1) ?? null };
}

/** An unknown last word may come to nothing: then the word before it is the last one. */
function writeTo(call: Call, sources: readonly Word[], target: Word | null, whole: boolean): void {
  if (!target) return;
  writeInto(call, sources, target, whole);
  const before = sources.at(-1);
  if (isUnknown(target.template) && before && sources.length > 1)
    writeInto(call, sources.slice(0, -1), before, whole);
}

function copy(call: Call): undefined {
  const { sources, target } = destination(call);
  for (const word of sources) call.read(word);
  if (call.has('--link', '--symbolic-link')) linkTo(call, sources, target);
  writeTo(call, sources, target, call.has('--recursive', '-r', '--archive'));
  if (isNothing(sources)) call.write(target, { truncated: true });
  const before = sources.at(-1);
  if (before && target && isUnknown(target.template) && isNothing(sources.slice(0, -1)))
    call.write(before, { truncated: true });
  carry(call, sources, target);
}

/** A copy of nothing empties the file that it is made to. */
function isNothing(sources: readonly Word[]): boolean {
  return sources.length > 0 && sources.every(({ text }) => text === '/dev/null');
}

function move(call: Call): undefined {
  const { sources, target } = destination(call);
  for (const word of sources) {
    call.read(word);
    call.moveAway(word);
  }
  writeTo(call, sources, target, true);
  carry(call, sources, target);
  const to = target && call.path(target).path;
  for (const word of sources) {
    const from = call.path(word).path;
    if (from !== null && to !== null) call.walk.store.move(from, to);
  }
}

/** A copied script is still the same script. */
function carry(call: Call, sources: readonly Word[], target: Word | null): void {
  const [source] = sources;
  if (sources.length !== 1 || !source || !target) return;
  const file = call.walk.store.get(call.path(source).path ?? '');
  if (file) call.leaves(target, file);
}

function dd(call: Call): undefined {
  for (const word of call.operands) {
    if (word.template.startsWith('if=')) call.read(tail(word, 3));
    if (word.template.startsWith('of=')) call.write(tail(word, 3));
  }
}

function tee(call: Call): string {
  const { template, sources } = call.command.stdin;
  for (const word of call.operands) {
    call.write(word, { append: call.has('--append') });
    call.leaves(word, { template, sources });
  }
  return template;
}

/** Rights that are taken away look like options: `chmod -x file`. */
const TAKEN = /^-[rwxXst]+(?:,[ugoa]*[-+=][rwxXstugo]*)*$/;

function chmod(call: Call): undefined {
  const taken = call.command.argv.find(({ template }) => TAKEN.test(template))?.text ?? null;
  const isFirstMode = taken === null && !call.has('--reference');
  const mode = isFirstMode ? (call.operands[0]?.text ?? null) : taken;
  for (const word of call.operands.slice(isFirstMode ? 1 : 0))
    call.permission(word, mode, call.has('--recursive'));
}

function chown(call: Call): undefined {
  const words = call.operands.slice(call.has('--reference') ? 0 : 1);
  for (const word of words) call.own(word, call.has('--recursive'));
}

function format(call: Call): undefined {
  for (const word of call.operands) {
    call.write(word);
    call.system('format', call.path(word).path);
  }
}

function truncate(call: Call): undefined {
  const truncated = /^0\w*$/.test(call.value('--size')?.template ?? '');
  for (const word of call.operands) call.write(word, { truncated });
}

/** What is written to a link later is written to what it leads to. A relative link starts where it lies. */
function linkTo(call: Call, sources: readonly Word[], target: Word | null): void {
  const place = target === null ? null : call.path(target).path;
  for (const word of sources) {
    const { path } = call.path(word);
    call.system('link', path);
    const isRelative = word.text !== null && !/^[/~]/.test(word.text);
    if (place === null || !isRelative) continue;
    for (const from of [place, dirname(place)]) call.system('link', resolve(from, word.text ?? ''));
  }
}

function link(call: Call): undefined {
  const { sources, target } = destination(call);
  const links = sources.map((word) => ({ word, to: call.path(word) }));
  for (const { word } of links) call.read(word);
  const at = call.path(target ?? literal('.')).path;
  // With one operand the link gets its name, here.
  if (sources.length === 0 && target) linkTo(call, [target], null);
  else linkTo(call, sources, target);
  if (target && isUnknown(target.template)) linkTo(call, sources.slice(0, -1), sources.at(-1) ?? null);
  if (sources.length === 0 && target) writeInto(call, [target], literal('.'), false);
  else writeTo(call, sources, target, false);
  for (const { to } of links) {
    if (at === null || to.path === null || to.glob) continue;
    // Whether the last word is a folder is not known: then the link lies in it.
    if (links.length === 1) call.walk.store.link(at, to.path);
    call.walk.store.link(`${at}/${to.path.slice(to.path.lastIndexOf('/') + 1)}`, to.path);
  }
}

/** Its name is new each time: one that nobody else has, so that what a line writes there is found again. */
function mktemp(call: Call): string {
  const folder = call.value('--tmpdir', '-p')?.template || '/tmp';
  const [pattern] = call.operands;
  const fresh = `new-${call.walk.length}-${call.index}`;
  if (pattern === undefined) return `${folder}/tmp.${fresh}`;
  const name = pattern.template.replace(/X{3,}/, fresh);
  return call.has('--tmpdir', '-p', '-t') && !name.startsWith('/') ? `${folder}/${name}` : name;
}

/** `cp` and `chmod` at once; with `-d` it only makes folders. */
function install(call: Call): undefined {
  const mode = call.value('--mode')?.text;
  const target = call.value('--target-directory') ?? call.operands.at(-1) ?? null;
  if (mode && target) call.permission(target, mode, false);
  const stripper = call.value('--strip-program');
  if (stripper) call.runArgv([stripper]);
  if (!call.has('--directory')) return copy(call);
  for (const word of call.operands) call.write(word);
}

/** `rimraf` and its like: `rm -rf` for those who write scripts in JavaScript. */
function removeTrees(call: Call): undefined {
  for (const word of call.operands) call.remove(word, true, true);
}

const COPY =
  'a,archive b,backup? d f,force i,interactive H l,link L,dereference n,no-clobber P p,preserve? R,recursive r s,symbolic-link S,suffix= t,target-directory= T,no-target-directory u,update? v,verbose x,one-file-system Z,context? reflink? sparse= parents remove-destination attributes-only';

/** Programs whose work is files. */
export const FILES: ToolTable = {
  rm: {
    options:
      'f,force rR,recursive i I interactive? d,dir v,verbose one-file-system preserve-root? P W x help version',
    run: rm,
  },
  rmdir: { options: 'p,parents v,verbose ignore-fail-on-non-empty', run: rmdir },
  unlink: { operands: 'delete' },
  srm: { options: 'r,recursive f,force z v s m', run: rm },
  'safe-rm': { options: 'f,force rR,recursive', run: rm },
  rimraf: { options: 'g,glob v,verbose i,interactive preserve-root tmp= help version', run: removeTrees },
  'del-cli': { options: 'f,force d,dry-run help version', run: removeTrees },
  mktemp: { options: 'd,directory u,dry-run q,quiet p= tmpdir? t suffix=', run: mktemp },
  trash: { options: 'v F y', operands: 'delete' },
  'trash-put': { operands: 'delete' },
  shred: {
    options: 'f,force n,iterations= s,size= u,remove? v,verbose x,exact z,zero random-source=',
    run: (call) => {
      for (const word of call.operands) {
        // What it is given as its output, which the line says elsewhere.
        if (word.text === '-') continue;
        call.write(word);
        call.remove(word, false, true);
      }
      return undefined;
    },
  },
  wipe: { options: 'r f c q', operands: 'delete' },
  truncate: { options: 'c,no-create o,io-blocks r,reference= s,size=', run: truncate },
  dd: { run: dd },
  mkfs: { options: 't,type= L= U= F f q V v b= N= m= O= E= T= I= i= c j', run: format },
  wipefs: {
    options: 'a,all b,backup f,force i,noheadings n,no-act o,offset= p,parsable q,quiet t,types=',
    run: format,
  },
  blkdiscard: { options: 'f,force o,offset= l,length= p,step= s,secure z,zeroout v,verbose', run: format },
  fdisk: { options: 'l,list b= c= L? t= u? s w=', run: format },
  parted: { options: 's,script l,list a= m', stop: true, run: (call) => format(call) },
  sfdisk: {
    options: 'd,dump l,list s,show-size J,json V,verify delete? f,force n,no-act A,activate',
    run: format,
  },
  sgdisk: { options: 'Z,zap-all z,zap o,clear d,delete= n,new= p,print t,typecode=', run: format },
  diskutil: {
    sub: 1,
    run: (call) => {
      if (/erase|partition|zero|secure|reformat/.test(call.command.sub[0] ?? ''))
        call.system('format', call.operands.at(-1)?.text ?? null);
      return undefined;
    },
  },
  mv: { options: `${COPY} exchange`, run: move },
  cp: { options: COPY, run: copy },
  install: {
    options:
      'b backup? c C,compare d,directory D g,group= m,mode= o,owner= p,preserve-timestamps s,strip strip-program= S,suffix= ' +
      't,target-directory= T,no-target-directory v,verbose Z context? preserve-context debug help version',
    run: install,
  },
  link: { run: link },
  ln: { options: 'b f,force i L n P r,relative s,symbolic S= t,target-directory= T v,verbose', run: link },
  tee: { options: 'a,append i,ignore-interrupts p output-error?', run: tee },
  sponge: { options: 'a', operands: 'write' },
  touch: {
    options: 'a c,no-create d,date= f h,no-dereference m r,reference= t= time=',
    operands: 'write',
    empties: true,
  },
  mkdir: { options: 'm,mode= p,parents v,verbose Z context?', operands: 'write', empties: true },
  mkfifo: { options: 'm,mode=', operands: 'write', empties: true },
  mknod: { options: 'm,mode=', operands: 'write' },
  chmod: { options: 'c,changes f,quiet v,verbose R,recursive reference= preserve-root', run: chmod },
  chown: {
    options: 'c,changes f,quiet v,verbose h,no-dereference R,recursive H L P from= reference=',
    run: chown,
  },
  chgrp: { options: 'c,changes f,quiet v,verbose h,no-dereference R,recursive H L P reference=', run: chown },
  chattr: { options: 'R,recursive V f v= p=', run: chmod },
  chflags: { options: 'R,recursive f h v H L P', run: chmod },
  setfacl: {
    options: 'm,modify= x,remove= b,remove-all k R,recursive d M= X=',
    run: (call) => {
      for (const word of call.operands)
        call.permission(word, call.value('--modify')?.text ?? null, call.has('--recursive'));
      return undefined;
    },
  },
  xattr: {
    options: 'd= w= c r l p= s v x',
    operands: 'write',
    run: (call) => {
      const { argv } = call.command;
      const isMark = call.has('-d', '-w') && argv.some(({ text }) => text === 'com.apple.quarantine');
      if (isMark || call.has('-c')) call.system('security', 'quarantine');
      return undefined;
    },
  },
};
