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
  const nodes: Record<string, string | null> = {};
  try {
    for (const version of NODE_VERSIONS) {
      nodes[version] = await nodeProgram(version);
      if (nodes[version] !== null) continue;
      warn(
        `ON NODE ${version}`,
        'The registry has it for linux-x64 only: run the suite with that Node itself.',
      );
    }
    await copyCheckout(checkout);
    const hasNative = spawnSync('cargo', ['--version'], { cwd: join(checkout, 'native') }).status === 0;
    if (!hasNative) {
      warn('WITH THE NATIVE FORWARDER', 'Install cargo, from your system’s packages or with rustup.');
    }
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

function warn(what: string, why: string): void {
  console.error(`\n*** THE TESTS OF THE PACKAGE ${what} ARE SKIPPED ***\n${why}\n`);
}
