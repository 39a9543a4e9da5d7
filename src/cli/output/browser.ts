import { spawn } from 'node:child_process';
import * as v from 'valibot';
import type { Client } from '../../client/client.ts';

const link = v.object({ path: v.string() });

/** A link that logs one browser in to the dashboard, once. */
export async function loginLink(client: Client): Promise<string> {
  const { path } = v.parse(link, await client.post('/api/login-link'));
  return `${client.info.http}${path}`;
}

/** Opens a link if there is a desktop. Returns false without one, or without a program to open links. */
export function openInBrowser(url: string): Promise<boolean> {
  const program = opener();
  if (!program) return Promise.resolve(false);
  const [name, ...args] = program;
  return new Promise((resolve) => {
    const child = spawn(name, [...args, url], { detached: true, stdio: 'ignore' });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function opener(): readonly [string, ...string[]] | null {
  if (process.platform === 'darwin') return ['open'];
  // Not `start` of cmd.exe, which would treat the & in a link as a command separator.
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open'] : null;
}
