// Programs of others that are measured beside ours. They are not dependencies: they come from the registry into the folder
// where the suites keep clients, when `npm run bench -- --install` asks for it.
import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const SAFETY_NET = { package: 'cc-safety-net', version: '2.4.5' };

const { HOOKLINE_CLIENTS_CACHE, XDG_CACHE_HOME } = process.env;
const cache = HOOKLINE_CLIENTS_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'hookline-clients');

/** The program of a package; null if it is neither installed nor wanted. */
export function programOf(pin, isWanted) {
  const folder = join(cache, `${pin.package}-${pin.version}`);
  if (!existsSync(folder)) {
    if (!isWanted) return null;
    const draft = `${folder}.${process.pid}`;
    const name = `${pin.package}@${pin.version}`;
    execFileSync('npm', ['install', '--prefix', draft, '--ignore-scripts', '--no-save', '--silent', name]);
    renameSync(draft, folder);
  }
  return join(folder, 'node_modules/.bin', pin.package);
}
