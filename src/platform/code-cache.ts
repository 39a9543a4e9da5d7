import { createHmac, timingSafeEqual } from 'node:crypto';
import { closeSync, existsSync, fstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { arch } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { constants, Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { openRegularFile, readRegularBytes, readUpTo } from './bounded-files.ts';
import { writeFileAtomically } from './files.ts';

/** A flag of V8, as in `--max-semi-space-size=4`, and its default. */
export interface Flag {
  readonly set: string;
  readonly unset: string;
}

/** V8 forgets what it compiled and has not run for a while, and that would be the start itself. */
const FORGET_NOTHING: Flag = { set: '--no-flush-bytecode', unset: '--flush-bytecode' };

/** Where what was compiled is kept, and of which program. */
interface CodeCache {
  /** A folder that only its owner can change: what is there is executed. */
  readonly folder: string;
  /** The file of the key that it is sealed with. Without one, nothing is kept. */
  readonly key: string;
  /** The folder of the program's files. */
  readonly program: string;
  /** Those that this process has and others have not. */
  readonly flags: readonly Flag[];
  /** It goes on after what most starts do, and calls `keepCode` then. */
  readonly goesOn: boolean;
}

/** A file of the program in this process of which more could be kept: V8 compiles a function when it is called. */
interface Compiled {
  readonly script: Script;
  /** Where it is kept, and the sum of its text. */
  readonly path: string;
  readonly sum: number;
  readonly isKept: boolean;
}

/** Makes a CommonJS module of a text. Node has no other place where what was compiled before can be given. */
interface Compiler {
  _compile(this: Module, text: string, file: string, ...rest: readonly unknown[]): unknown;
}

/** The code of the two is in more than one bundle. */
const KEEP: unique symbol = Symbol.for('hookline.keep-code');

/**
 * Lets the next start find what this one has compiled. What cannot be read or written is compiled as ever. Node can do
 * this from version 22.1 on, but takes whatever another program has put there.
 */
export function useCodeCache(cache: CodeCache): void {
  const flags = cache.goesOn ? [...cache.flags, FORGET_NOTHING] : [...cache.flags];
  const tag = withoutFlags({ flags }, cachedDataVersionTag);
  const folder = join(cache.folder, `${process.version}-${arch()}-${tag.toString(16)}`);
  const own = { ...cache, flags, folder };
  const compiled: Compiled[] = [];
  compileWith(own, compiled);
  Reflect.set(globalThis, KEEP, () => {
    keepAll(own, compiled.splice(0), true);
    const last = flags.splice(cache.flags.length);
    for (const { unset } of last) setFlagsFromString(unset);
  });
  process.on('exit', () =>
    keepAll(
      own,
      compiled.filter(({ isKept }) => !isKept),
      false,
    ),
  );
}

/** Keeps all that is compiled by now, once: for a process that has run what most calls need. */
export function keepCode(): void {
  const keep: unknown = Reflect.get(globalThis, KEEP);
  if (typeof keep === 'function') keep();
}

/** V8 takes nothing that was compiled with other flags, though these only say how memory is used. */
function withoutFlags<T>({ flags }: Pick<CodeCache, 'flags'>, work: () => T): T {
  for (const { unset } of flags) setFlagsFromString(unset);
  try {
    return work();
  } finally {
    for (const { set } of flags) setFlagsFromString(set);
  }
}

function compileWith(cache: CodeCache, compiled: Compiled[]): void {
  const compiler = Module.prototype as unknown as Compiler;
  const { _compile: before } = compiler;
  const key = readKey(cache);
  compiler._compile = function (text, file, ...rest) {
    if (dirname(file) !== cache.program) return before.call(this, text, file, ...rest);
    const path = join(cache.folder, basename(file));
    const sum = crc32(text);
    const known = key === null ? null : readKept(path, sum, key);
    const script = withoutFlags(cache, () => scriptOf(text, file, known?.code ?? null));
    const isKept = script.cachedDataRejected === false;
    if (!isKept || !known?.isAll) compiled.push({ script, path, sum, isKept });
    const run = script.runInThisContext();
    return run.call(this.exports, this.exports, createRequire(file), this, file, dirname(file));
  };
}

function scriptOf(text: string, filename: string, cachedData: Buffer | null): Script {
  return new Script(Module.wrap(text), {
    filename,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData ? { cachedData } : {}),
  });
}

/** The sum of the text that it was compiled of, and 1 where it is all that calls need. */
const HEAD = 8;
const SEAL = 32;

/**
 * V8 runs whatever it is given, so only what was kept by one who has the key is given to it: agents are kept from the key,
 * and another program that writes here is not.
 */
function sealOf(path: string, kept: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(`compiled ${basename(path)}\0`)
    .update(kept)
    .digest();
}

function readKey({ key }: Pick<CodeCache, 'key'>): Buffer | null {
  try {
    const found = readRegularBytes(key);
    return found.length === 0 ? null : found;
  } catch {
    return null;
  }
}

/** No file of the program comes to more. */
const MOST_BYTES = 64 << 20;

/** Who else could write it would run code here. */
const OTHERS_WRITE = 0o022;

function readKept(
  path: string,
  sum: number,
  key: Buffer,
): { readonly code: Buffer; readonly isAll: boolean } | null {
  try {
    const file = openRegularFile(path);
    if (file === null) return null;
    try {
      const { uid, mode } = fstatSync(file);
      if (process.getuid && (uid !== process.getuid() || (mode & OTHERS_WRITE) !== 0)) return null;
      const all = readUpTo(file, MOST_BYTES);
      const kept = all.subarray(SEAL);
      if (kept.readUInt32LE(0) !== sum || !timingSafeEqual(all.subarray(0, SEAL), sealOf(path, kept, key)))
        return null;
      return { code: kept.subarray(HEAD), isAll: kept.readUInt32LE(4) === 1 };
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

function keepAll(cache: CodeCache, compiled: readonly Compiled[], isAll: boolean): void {
  if (compiled.length === 0) return;
  // The first daemon of a home has made it meanwhile.
  const key = readKey(cache);
  if (key === null) return;
  try {
    // One at a time: a home that was deleted must not come back.
    for (const folder of [dirname(cache.folder), cache.folder])
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    withoutFlags(cache, () => {
      for (const one of compiled) keep(one, isAll, key);
    });
    // Of versions before this one.
    for (const name of readdirSync(cache.folder))
      if (!existsSync(join(cache.program, name))) rmSync(join(cache.folder, name), { force: true });
  } catch {
    // A full disk, or a home that is gone: the next start compiles again.
  }
}

function keep({ script, path, sum }: Compiled, isAll: boolean, key: Buffer): void {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(sum, 0);
  head.writeUInt32LE(isAll ? 1 : 0, 4);
  const kept = Buffer.concat([head, script.createCachedData()]);
  writeFileAtomically(path, Buffer.concat([sealOf(path, kept, key), kept]), { mode: 0o600 });
}
