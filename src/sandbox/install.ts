import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import * as v from 'valibot';

/** The client version that its fixtures and the client suite apply to: `src/agents/<id>/client.json`. */
export interface Pin {
  readonly package: string;
  readonly version: string;
  /**
   * The program in a `node_modules` that was installed without scripts. A `*` matches the single name there: native
   * programs are in a package for the platform, and only an install script would copy them.
   */
  readonly program: string;
  /** Install without dependencies, because the bundle has everything. */
  readonly alone?: boolean;
  /** Other packages for the same `node_modules`; of `node`, the one for this platform. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** The program of a pinned client, installed on first use into a cache outside the checkout. */
export async function installClient(pin: Pin, cache: string = cacheFolder()): Promise<string> {
  // It becomes part of a path and of arguments, and may come from a registry.
  if (!/^\w[\w.+-]{0,99}$/.test(pin.version)) throw new Error(`"${pin.version}" is not a version`);
  const folder = join(cache, `${basename(pin.package)}-${pin.version}`);
  if (!existsSync(folder)) await installInto(folder, pin);
  return await programOf(pin, join(folder, 'node_modules'));
}

async function programOf({ program }: Pin, modules: string): Promise<string> {
  let path = modules;
  for (const part of program.split('/')) {
    const [before = '', after] = part.split('*');
    const names = after === undefined ? [part] : await readdir(path);
    const name = names.find((one) => after === undefined || (one.startsWith(before) && one.endsWith(after)));
    if (name === undefined) throw new Error(`no ${part} in ${path}`);
    path = join(path, name);
  }
  // npm links scripts into .bin; anything else is a native program.
  const isNative = !program.startsWith('.bin/');
  return process.platform === 'win32' && isNative ? `${path}.exe` : path;
}

/** Where clients are cached between runs, with the files they unpack at their first start. */
export function cacheFolder(): string {
  const { HOOKLINE_CLIENTS_CACHE, XDG_CACHE_HOME } = process.env;
  return HOOKLINE_CLIENTS_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'hookline-clients');
}

const execute = promisify(execFile);

/** The package `node` gets its program from an install script; the packages per platform contain it. */
function platformPackage(name: string): string {
  return name === 'node' ? `node-${process.platform}-${process.arch}` : name;
}

/** Installs a package as npm would, with its programs in `.bin`. */
async function unpack(pin: Pin, folder: string): Promise<void> {
  const name = `${pin.package}@${pin.version}`;
  const { stdout } = await execute('npm', ['pack', '--silent', name], { cwd: folder });
  const modules = join(folder, 'node_modules');
  const target = join(modules, pin.package);
  await mkdir(target, { recursive: true });
  await execute('tar', ['-xzf', join(folder, stdout.trim()), '-C', target, '--strip-components=1']);
  const { bin } = v.parse(manifest, JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')));
  await mkdir(join(modules, '.bin'), { recursive: true });
  for (const [program, file] of Object.entries(bin)) {
    await symlink(join('..', pin.package, file), join(modules, '.bin', program));
  }
}

const manifest = v.looseObject({ bin: v.record(v.string(), v.string()) });

/** Some packages contain a compressed program, which their install script would unpack. */
async function decompress(program: string): Promise<void> {
  if (existsSync(program) || !existsSync(`${program}.br`)) return;
  await pipeline(createReadStream(`${program}.br`), createBrotliDecompress(), createWriteStream(program));
  await chmod(program, 0o755);
}

// Filled next to its final path and moved there in one step: an interrupted or concurrent run never sees half an
// installation. Of two concurrent ones, the slower discards its copy.
async function installInto(folder: string, pin: Pin): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}.draft-`);
  try {
    const install = ['install', '--prefix', draft, '--ignore-scripts', '--no-audit', '--no-fund'];
    const packages = [
      ...(pin.alone ? [] : [[pin.package, pin.version]]),
      ...Object.entries(pin.beside ?? {}),
    ];
    const named = packages.map(([name = '', version]) => `${platformPackage(name)}@${version}`);
    await execute('npm', [...install, ...named], { cwd: draft });
    if (pin.alone) await unpack(pin, draft);
    await decompress(await programOf(pin, join(draft, 'node_modules')));
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
