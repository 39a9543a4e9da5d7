import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FORWARDER, installForwarder } from '../forwarder/install.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { VERSION } from '../version.ts';
import { readForwarderSettings } from '../wire/forwarder-settings.ts';

/** Sets the forwarder up once more, as on a machine where the native one could not be built. */
export async function useJavaScriptForwarder({ home, hooklineHome }: Sandbox): Promise<void> {
  const settings = readForwarderSettings(hooklineHome);
  if (settings === null) throw new Error('setup has not installed a forwarder');
  const distDir = join(home, 'dist-without-native');
  await mkdir(distDir);
  await symlink(settings.script, join(distDir, FORWARDER));
  const { node: nodePath, env: envAllowList } = settings;
  const source = { distDir, version: VERSION, nodePath, envAllowList, failure: 'open' } as const;
  const { kind } = installForwarder(hooklineHome, source);
  if (kind !== 'node')
    throw new Error(`the ${kind} forwarder was installed from ${dirname(settings.script)}`);
}
