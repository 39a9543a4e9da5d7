import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from './install.ts';
import { type Finished, run } from './process.ts';
import { endProcessesOf } from './processes.ts';
import { type RefusingProxy, startRefusingProxy } from './refusing-proxy.ts';

/** A new home, Hookline home and project, and a network with nothing but loopback. */
export interface Sandbox {
  readonly home: string;
  readonly hooklineHome: string;
  readonly project: string;
  /** A folder that outlives it, for what a client unpacks at its first start. */
  readonly cache: string;
  /** The clean environment: these folders, and a proxy that lets nothing but loopback through. */
  readonly env: Readonly<Record<string, string>>;
  /** Hosts other than loopback that anything in here wanted. */
  readonly wanted: readonly string[];
  /** Aborted when the result of what runs in here is no longer needed. */
  readonly signal?: AbortSignal;
  /** Runs a program in the project with the clean environment and what is added to it. */
  run(program: string, args: readonly string[], options?: SandboxRun): Promise<Finished>;
  close(): Promise<void>;
}

export interface SandboxRun {
  /** Instead of the project. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly deadlineMs?: number;
  /** Not what is tried, but what cleans up after it: also when everything else was interrupted. */
  readonly cleanup?: true;
}

export interface SandboxOptions {
  /** Instead of the folder that the client suite has for it. */
  readonly cache?: string;
  /** Ends what runs in it; it is still to be closed. */
  readonly signal?: AbortSignal;
}

export async function openSandbox({ cache, signal }: SandboxOptions = {}): Promise<Sandbox> {
  signal?.throwIfAborted();
  // The real path: clients report a working directory without symbolic links.
  const root = await realpath(await mkdtemp(join(tmpdir(), 'hookline-client-')));
  const folders = {
    home: join(root, 'home'),
    hooklineHome: join(root, 'hookline'),
    project: join(root, 'project'),
    temporary: join(root, 'tmp'),
  };
  for (const folder of Object.values(folders)) await mkdir(folder);
  // Whatever port is free: the usual one may be that of the user's own daemon.
  await writeFile(join(folders.hooklineHome, 'config.yaml'), 'http: { port: 0 }\n');
  const proxy = await startRefusingProxy();
  const clean = cleanEnvironment(folders, proxy);
  return {
    home: folders.home,
    hooklineHome: folders.hooklineHome,
    project: folders.project,
    cache: cache ?? cacheFolder(),
    env: clean,
    wanted: proxy.wanted,
    ...(signal && { signal }),
    run: async (program, args, { env, cleanup, ...rest } = {}) => {
      const watched = signal && !cleanup ? { signal } : {};
      watched.signal?.throwIfAborted();
      return run(program, args, { cwd: folders.project, env: { ...clean, ...env }, ...rest, ...watched });
    },
    close: async () => {
      await proxy.close();
      await endProcessesOf(root);
      if (process.env.HOOKLINE_KEEP_SANDBOX) console.log(`kept ${root}`);
      else await rm(root, { recursive: true, force: true });
    },
  };
}

function cleanEnvironment(
  folders: { readonly home: string; readonly hooklineHome: string; readonly temporary: string },
  proxy: RefusingProxy,
): Readonly<Record<string, string>> {
  const inherited: Record<string, string> = {};
  for (const name of ['PATH', 'LANG', 'LC_ALL']) {
    const value = process.env[name];
    if (value !== undefined) inherited[name] = value;
  }
  return {
    ...inherited,
    HOME: folders.home,
    TMPDIR: folders.temporary,
    HOOKLINE_HOME: folders.hooklineHome,
    HTTP_PROXY: proxy.url,
    HTTPS_PROXY: proxy.url,
    http_proxy: proxy.url,
    https_proxy: proxy.url,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  };
}
