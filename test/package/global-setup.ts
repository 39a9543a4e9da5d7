import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { copyCheckout, inCheckout, withoutCargo } from './checkout.ts';
import { NODE_VERSIONS, nodeProgram } from './nodes.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    scratch: string;
    /** What `npm pack` printed, in a checkout on a machine without cargo. */
    packed: string;
    /** The folder of that tarball. */
    plain: string;
    /** The folder of the tarballs of a release for this platform. */
    released: string;
    /** Whether that release has a native forwarder. */
    hasNative: boolean;
    /** By version; null when it could not be had. */
    nodes: Readonly<Record<string, string | null>>;
  }
}

/** Packs everything once for all files, in a copy, so that the build of this checkout stays as it is. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'hookline-package-')));
  const checkout = join(scratch, 'checkout');
  const plain = join(scratch, 'plain');
  const released = join(scratch, 'released');
  try {
    const nodes = await allNodes();
    await copyCheckout(checkout);
    const hasNative = spawnSync('cargo', ['--version'], { cwd: join(checkout, 'native') }).status === 0;
    if (!hasNative) warn('with the native forwarder', 'Install Rust (https://rustup.rs).');
    await inCheckout(checkout, ['npm', 'run', 'release', '--silent', '--', '--out', released]);
    await mkdir(plain);
    const pack = ['npm', 'pack', '--silent', '--pack-destination', plain] as const;
    const packed = await inCheckout(checkout, pack, await withoutCargo(scratch));
    project.provide('scratch', scratch);
    project.provide('packed', packed);
    project.provide('plain', plain);
    project.provide('released', released);
    project.provide('hasNative', hasNative);
    project.provide('nodes', nodes);
  } catch (error) {
    await rm(scratch, { recursive: true, force: true });
    throw error;
  }
  return () => rm(scratch, { recursive: true, force: true });
}

async function allNodes(): Promise<Readonly<Record<string, string | null>>> {
  const programs = await Promise.all(NODE_VERSIONS.map(nodeProgram));
  const nodes = NODE_VERSIONS.map((version, at) => [version, programs[at] ?? null] as const);
  for (const [version, program] of nodes) {
    if (program !== null) continue;
    warn(
      `on Node ${version}`,
      'The registry has it for linux-x64 only: run the suite with that Node itself.',
    );
  }
  return Object.fromEntries(nodes);
}

/** Skipped tests are announced; in CI they fail the tier. */
function warn(what: string, why: string): void {
  const message = `The tests of the package ${what} are skipped. ${why}`;
  if (process.env.CI) throw new Error(message);
  console.error(`\n*** ${message} ***\n`);
}
