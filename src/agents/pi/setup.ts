import { dirname, join, resolve } from 'node:path';
import { listAt } from '../kit/loose-json.ts';
import type { ShimPackage } from '../kit/shim/package.ts';
import { type ShimHost, shimSetup } from '../kit/shim/setup.ts';
import { detectCommand } from '../setup/detect-command.ts';
import { limit, problem, readFiles } from '../setup/findings.ts';
import { SettingsDocument } from '../setup/settings-json.ts';
import type { AgentSetup, Finding, SetupContext } from '../setup/setup.ts';
import { refusals } from './encode.ts';

/** Where the client finds extensions of this user, which it loads in every folder (1.5.0). */
function userFolder({ env, home, cwd }: SetupContext): string {
  return env.PI_CODING_AGENT_DIR ? resolve(cwd, env.PI_CODING_AGENT_DIR) : join(home, '.pi', 'agent');
}

const FILE = join('extensions', 'hookline.js');

const SETTINGS = 'settings.json';

/** `pi install npm:hookline` writes the source into "packages" of the settings, and the package beside them (1.5.0). */
const installed: ShimPackage = {
  settings: (context) => ({
    user: [join(userFolder(context), SETTINGS)],
    project: [join(context.cwd, '.pi', SETTINGS)],
  }),
  folders: (text, path, { home }) =>
    listAt(new SettingsDocument(text, { path }).get([]), 'packages').flatMap((entry) => {
      // An entry with filters may load anything or nothing: it does not count.
      if (typeof entry !== 'string' && Object.keys(Object(entry)).some((key) => key !== 'source')) return [];
      const source = typeof entry === 'string' ? entry : String(Object(entry).source);
      const base = dirname(path);
      if (/^npm:hookline(?:@|$)/.test(source)) return [join(base, 'npm', 'node_modules', 'hookline')];
      return source.includes(':') ? [] : [resolve(base, source.replace(/^~(?=\/|$)/, home))];
    }),
  entry: ({ pi }) => listAt(pi, 'extensions')[0],
  uninstall: '`pi remove npm:hookline`',
  update: 'Run `pi update --extensions`.',
};

export const HOST: ShimHost = {
  id: 'pi',
  label: 'Pi',
  refusals,
  // It has no limit (1.5.0).
  deadlineMs: null,
  path: (context) => join(userFolder(context), FILE),
  // Only in a project that is trusted (1.5.0).
  elsewhere: ({ cwd }) => [join(cwd, '.pi', FILE)],
  package: installed,
  detect: (context) =>
    detectCommand(context, { name: 'pi', quiet: { PI_OFFLINE: '1', PI_TELEMETRY: '0' }, timeoutMs: 10_000 }),
  findings,
};

export const setup: AgentSetup = shimSetup(HOST);

/** What keeps the client from loading it, or runs beside it. */
function findings(context: SetupContext): readonly Finding[] {
  const settings = [join(userFolder(context), SETTINGS), join(context.cwd, '.pi', SETTINGS)];
  const { files, unreadable } = readFiles(settings, (text, path) => ({
    path,
    excluded: listAt(new SettingsDocument(text, { path }).get([]), 'extensions').some(excludesOurs),
  }));
  return [
    ...unreadable.values(),
    ...files
      .filter(({ excluded }) => excluded)
      .map(({ path }) =>
        problem(
          'excluded',
          `${path} may exclude our extension, which Pi then does not load.`,
          'Take the line that begins with - or ! out of "extensions".',
        ),
      ),
    limit('no-extensions', '`pi --no-extensions` (-ne) loads none: nothing there is guarded.'),
  ];
}

/** A path after `-` or a pattern after `!` takes out what was found in the folder (1.5.0). */
function excludesOurs(entry: unknown): boolean {
  return typeof entry === 'string' && /^[-!]/.test(entry) && /hookline|\*/.test(entry);
}
