import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import * as v from 'valibot';

/** A client at the version that its fixtures and the client suite are true for: `src/agents/<id>/client.json`. */
export interface Pin {
  readonly package: string;
  readonly version: string;
  /**
   * The program, from a `node_modules` that was filled without install scripts. A `*` is the one name there is: packages
   * with a native program have it in a package for the platform, and only their install script would copy it.
   */
  readonly program: string;
  /** The package as it is, without its dependencies: for one that has all it needs in its bundle. */
  readonly alone?: boolean;
  /** Other packages for the same `node_modules`; of a `node` the one for this platform. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** The program of a pinned client, installed on first use into a cache that outlives the checkout. */
export async function installClient(pin: Pin, cache: string = cacheFolder()): Promise<string> {
  // It becomes a part of a path and of arguments, and may come from a registry.
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
  // What npm links into .bin is a script, everything else a native program.
  const isNative = !program.startsWith('.bin/');
  return process.platform === 'win32' && isNative ? `${path}.exe` : path;
}

/** Where clients are kept between runs, and what they unpack at their first start. */
export function cacheFolder(): string {
  const { HOOKLINE_CLIENTS_CACHE, XDG_CACHE_HOME } = process.env;
  return HOOKLINE_CLIENTS_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'hookline-clients');
}

const execute = promisify(execFile);

/** The package `node` gets its program from an install script; those for one platform have it in them. */
function platformPackage(name: string): string {
  return name === 'node' ? `node-${process.platform}-${process.arch}` : name;
}

/** Puts a package where npm would, with its programs in `.bin`. */
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

/** Some packages have their program compressed, and only their install script would unpack it. */
async function decompress(program: string): Promise<void> {
  if (existsSync(program) || !existsSync(`${program}.br`)) return;
  await pipeline(createReadStream(`${program}.br`), createBrotliDecompress(), createWriteStream(program));
  await chmod(program, 0o755);
}

// Filled beside its place and moved there in one step: a second run, or one that was cut short, never sees half
// an installation, and of two that install at once the slower one throws its copy away.
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
