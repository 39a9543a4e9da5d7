import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** What a commit of the working tree would have, in another place, with the dependencies of this checkout. */
export async function copyCheckout(to: string): Promise<void> {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'];
  const { stdout } = await run('git', list, { cwd: root, maxBuffer: 64 << 20 });
  for (const file of stdout.split('\0').filter((name) => name !== '')) {
    // A file that was deleted is listed until that is committed.
    await cp(join(root, file), join(to, file), { recursive: true }).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    });
  }
  await symlink(join(root, 'node_modules'), join(to, 'node_modules'), 'junction');
}

/** The environment of a machine where nothing can be compiled. */
export async function withoutCargo(scratch: string): Promise<NodeJS.ProcessEnv> {
  const folder = join(scratch, 'without-cargo');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'cargo'), '#!/bin/sh\nexit 1\n');
  await chmod(join(folder, 'cargo'), 0o755);
  return { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
}

/** Runs a command in a checkout. Gives what it printed. */
export async function inCheckout(
  checkout: string,
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  // npm hands its own settings down to what it runs, among them the folder it was called in.
  const own = Object.entries(env).filter(([name]) => !/^(npm_(?!config_)|INIT_CWD)/i.test(name));
  const options = { cwd: checkout, env: Object.fromEntries(own), maxBuffer: 64 << 20 };
  return (await run(program, args, options)).stdout;
}

/** The path below the folder of a tarball → its mode and size, as `tar` lists them. */
export async function filesOf(tarball: string): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await run('tar', ['-tvzf', tarball], { cwd: dirname(tarball) });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => [line.slice(line.indexOf(' package/') + ' package/'.length), line.slice(0, 10)]),
  );
}

export async function fileIn(tarball: string, path: string): Promise<string> {
  return (await run('tar', ['-xzOf', tarball, `package/${path}`], { cwd: dirname(tarball) })).stdout;
}
