import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HooklineError } from '../../../model/errors.ts';
import type { ShimSettings } from './core.ts';

/** The whole file that a client loads. It imports nothing but parts of Node, and exports one thing. */
export function shimText(settings: ShimSettings): string {
  const { agent, version } = settings;
  const header = `${headerOf(agent, version)} Do not edit: setup writes it again, and \`hookline remove ${agent}\` deletes it.`;
  return `${header}\nconst HOOKLINE_SETTINGS = ${JSON.stringify(settings)};\n${built(`${agent}.js`)}`;
}

function headerOf(agent: string, version: string): string {
  return `// Hookline ${version} for ${agent}, written by \`hookline setup ${agent}\`.`;
}

/** The version of Hookline that wrote a file for this agent; null for other files. */
export function writtenBy(text: string, agent: string): string | null {
  const version = /^\/\/ Hookline (\S+) for /.exec(text)?.[1];
  return version !== undefined && text.startsWith(headerOf(agent, version)) ? version : null;
}

/** The rest of a shim whose file is a small loader: the text of the file that lies in the home. */
export function coreText(agent: string): string {
  return built(`${agent}.cjs`);
}

/** What `npm run build` made of the agent's host, also when this code runs from its sources, as it does in tests. */
function built(name: string): string {
  const beside = new URL(`./shims/${name}`, import.meta.url);
  const file = existsSync(beside) ? beside : new URL(`../../../../dist/shims/${name}`, import.meta.url);
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new HooklineError(
      'SETTINGS_UNREADABLE',
      `${fileURLToPath(file)} is missing, which runs inside of the client.`,
      {
        cause,
        hint: 'Install Hookline again; in its sources, run `npm run build`.',
      },
    );
  }
}
