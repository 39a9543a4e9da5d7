import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A client at the one version that the suite is true for. */
export interface Pin {
  readonly package: string;
  readonly version: string;
  /** The program to start, in a `node_modules` that was filled without install scripts. */
  executable(modules: string): Promise<string>;
}

export const PINS: { readonly claude: Pin; readonly gemini: Pin; readonly codex: Pin } = {
  claude: {
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    // Its install script would copy the native program over a placeholder; without it the platform package has it.
    executable: async (modules) => {
      const scope = join(modules, '@anthropic-ai');
      const platform = (await readdir(scope)).find((name) => name.startsWith('claude-code-'));
      if (platform === undefined) throw new Error(`no platform package in ${scope}`);
      return join(scope, platform, process.platform === 'win32' ? 'claude.exe' : 'claude');
    },
  },
  gemini: {
    package: '@google/gemini-cli',
    version: '0.61.0',
    executable: async (modules) => join(modules, '.bin', 'gemini'),
  },
  codex: {
    package: '@openai/codex',
    version: '0.166.0',
    // The native program of the platform package: the script in front of it would only start it.
    executable: async (modules) => {
      const scope = join(modules, '@openai');
      const platform = (await readdir(scope)).find((name) => name.startsWith('codex-')) ?? '';
      const vendor = join(scope, platform, 'vendor');
      const [target] = await readdir(vendor);
      if (target === undefined) throw new Error(`no program in ${vendor}`);
      return join(vendor, target, 'bin', process.platform === 'win32' ? 'codex.exe' : 'codex');
    },
  },
};

/** The program of a pinned client, installed on first use into a cache that outlives the checkout. */
export async function installClient(pin: Pin, cache: string = cacheFolder()): Promise<string> {
  const folder = join(cache, `${basename(pin.package)}-${pin.version}`);
  if (!existsSync(folder)) await installInto(folder, pin);
  return await pin.executable(join(folder, 'node_modules'));
}

function cacheFolder(): string {
  const { HOOKLINE_CLIENTS_CACHE, XDG_CACHE_HOME } = process.env;
  return HOOKLINE_CLIENTS_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'hookline-clients');
}

// Filled beside its place and moved there in one step: a second run, or one that was cut short, never sees half
// an installation, and of two that install at once the slower one throws its copy away.
async function installInto(folder: string, pin: Pin): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}.draft-`);
  try {
    const install = ['install', '--prefix', draft, '--ignore-scripts', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', [...install, `${pin.package}@${pin.version}`], { cwd: draft });
    await pin.executable(join(draft, 'node_modules'));
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
