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

/** V8 discards compiled code that hasn't run for a while, which would include the startup code. */
const FORGET_NOTHING: Flag = { set: '--no-flush-bytecode', unset: '--flush-bytecode' };

/** Location of the compiled code, and its program. */
interface CodeCache {
  /** A directory that only its owner can change, because its content is executed. */
  readonly folder: string;
  /** File of the key for the seal. Without one, nothing is cached. */
  readonly key: string;
  /** Directory of the program's files. */
  readonly program: string;
  /** Flags that this process has and others don't. */
  readonly flags: readonly Flag[];
  /** True if it runs longer than most processes, and calls `keepCode` later. */
  readonly goesOn: boolean;
}

/** A program file of this process whose cache can grow, because V8 compiles a function when it is called. */
interface Compiled {
  readonly script: Script;
  /** Path of the cache, and checksum of the text. */
  readonly path: string;
  readonly sum: number;
  readonly isKept: boolean;
}

/** Compiles a text as a CommonJS module. Node has no other way to pass in compiled code. */
interface Compiler {
  _compile(this: Module, text: string, file: string, ...rest: readonly unknown[]): unknown;
}

/** The code of both is in more than one bundle. */
const KEEP: unique symbol = Symbol.for('hookline.keep-code');

/**
 * Caches compiled code for the next start. Whatever can't be read or written is compiled as usual. Node can do this
 * since version 22.1, but accepts what any other program has put there.
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

/** Caches everything compiled so far, once: for a process that has run what most calls need. */
export function keepCode(): void {
  const keep: unknown = Reflect.get(globalThis, KEEP);
  if (typeof keep === 'function') keep();
}

/** V8 rejects code compiled with other flags, although these affect only memory. */
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

/** The checksum of its text, and 1 if it contains everything that calls need. */
const HEAD = 8;
const SEAL = 32;

/**
 * V8 runs whatever it gets, so the code is sealed with a key: agents can't read the key, and other programs that
 * write here don't have it.
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

/** Larger than any file of the program. */
const MOST_BYTES = 64 << 20;

/** Others with write access could run code here. */
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
  // The first daemon of a home has created it in the meantime.
  const key = readKey(cache);
  if (key === null) return;
  try {
    // One level at a time, because a deleted home must not come back.
    for (const folder of [dirname(cache.folder), cache.folder])
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    withoutFlags(cache, () => {
      for (const one of compiled) keep(one, isAll, key);
    });
    // Files of earlier versions.
    for (const name of readdirSync(cache.folder))
      if (!existsSync(join(cache.program, name))) rmSync(join(cache.folder, name), { force: true });
  } catch {
    // A full disk, or a deleted home: the next start compiles again.
  }
}

function keep({ script, path, sum }: Compiled, isAll: boolean, key: Buffer): void {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(sum, 0);
  head.writeUInt32LE(isAll ? 1 : 0, 4);
  const kept = Buffer.concat([head, script.createCachedData()]);
  writeFileAtomically(path, Buffer.concat([sealOf(path, kept, key), kept]), { mode: 0o600 });
}
