import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from './install.ts';
import { type Finished, run } from './process.ts';
import { endProcessesOf } from './processes.ts';
import { type RefusingProxy, startRefusingProxy } from './refusing-proxy.ts';

/** A new home, Hookline home and project, with a network limited to loopback. */
export interface Sandbox {
  readonly home: string;
  readonly hooklineHome: string;
  readonly project: string;
  /** A persistent directory for files that a client unpacks at its first start. */
  readonly cache: string;
  /** The clean environment: these directories, and a proxy that allows only loopback. */
  readonly env: Readonly<Record<string, string>>;
  /** Hosts other than loopback that were requested. */
  readonly wanted: readonly string[];
  /** Aborted when the result is no longer needed. */
  readonly signal?: AbortSignal;
  /** Runs a program in the project with the clean environment and additions. */
  run(program: string, args: readonly string[], options?: SandboxRun): Promise<Finished>;
  close(): Promise<void>;
}

export interface SandboxRun {
  /** Instead of the project. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly deadlineMs?: number;
  /** For cleanup, which runs even after an interrupt. */
  readonly cleanup?: true;
}

export interface SandboxOptions {
  /** Instead of the client suite's directory. */
  readonly cache?: string;
  /** Ends what runs in the sandbox, which still must be closed. */
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
  // Uses a free port, because the usual one may be in use by the user's own daemon.
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
