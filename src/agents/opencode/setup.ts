import { existsSync, readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NativeAnswer } from '../../model/native.ts';
import { counted } from '../../model/text.ts';
import { listAt } from '../kit/loose-json.ts';
import type { ShimPackage } from '../kit/shim/package.ts';
import type { ShimHost } from '../kit/shim/setup.ts';
import { detectCommand } from '../setup/detect-command.ts';
import { limit, warning, when } from '../setup/findings.ts';
import { SettingsDocument } from '../setup/settings-json.ts';
import type { Finding, SetupContext } from '../setup/setup.ts';

/** What the client and those that are made from it call their own. */
export interface ClientNames {
  readonly id: string;
  readonly label: string;
  readonly program: string;
  /** The name of its folders and settings, such as `.config/<folder>`. */
  readonly folder: string;
  /** Of its variables. */
  readonly envPrefix: string;
  /** The package that the client installs beside plugins, in its own version. */
  readonly library: string;
}

/** `.mjs` is ignored in these folders (1.18.33). */
const FILE = 'hookline.js';
const FOLDERS = ['plugin', 'plugins'] as const;

/** The file in the user's folder of plugins: those of the settings come first, those of a project last. */
export function shimHost(
  names: ClientNames & { readonly testedVersion: string },
  refusals: Readonly<Record<string, NativeAnswer>>,
): ShimHost {
  const { id, label, program, envPrefix } = names;
  return {
    id,
    label,
    refusals,
    // The client has no limit of its own.
    deadlineMs: null,
    path: (context) => join(userFolder(names, context), 'plugin', FILE),
    elsewhere: (context) => [
      join(userFolder(names, context), 'plugins', FILE),
      ...projectFolders(names, context).map((folder) => join(folder, FILE)),
    ],
    package: packageOf(names),
    beside: (context) => libraryFiles(names, userFolder(names, context)),
    detect: (context) =>
      detectCommand(context, {
        name: program,
        quiet: { [`${envPrefix}_DISABLE_AUTOUPDATE`]: '1', [`${envPrefix}_DISABLE_MODELS_FETCH`]: '1' },
        timeoutMs: 10_000,
      }),
    findings: (context) => findings(names, context),
  };
}

/** The folder of the user's settings. */
export function userFolder(
  { folder }: Pick<ClientNames, 'folder'>,
  { env, home, cwd }: Pick<SetupContext, 'env' | 'home' | 'cwd'>,
): string {
  const config = env.XDG_CONFIG_HOME ? resolve(cwd, env.XDG_CONFIG_HOME) : join(home, '.config');
  return join(config, folder);
}

/** `"plugin": ["hookline"]` in the settings: the client installs it into its cache, by what was written there (1.18.33). */
function packageOf(names: ClientNames): ShimPackage {
  const { folder, label } = names;
  const inFolder = (place: string) => [`${folder}.json`, `${folder}.jsonc`].map((name) => join(place, name));
  return {
    settings: (context) => ({
      user: inFolder(userFolder(names, context)),
      project: [context.cwd, join(context.cwd, `.${folder}`)].flatMap(inFolder),
    }),
    folders: (text, path, context) =>
      listAt(new SettingsDocument(text, { path, comments: true }).get([]), 'plugin').map((entry) =>
        pluginFolder(names, String(Array.isArray(entry) ? entry[0] : entry), dirname(path), context),
      ),
    entry: ({ exports }) => entryOf(Object(exports)['./server']),
    uninstall: `taking it out of "plugin" in ${folder}.json`,
    update: `Delete its directory in the cache of ${label}, which then installs it again.`,
  };
}

/** The file itself, or what is used where no condition says otherwise. */
function entryOf(exported: unknown): unknown {
  return typeof exported === 'string' ? exported : Object(exported).default;
}

/** Where the client loads a plugin from that its settings name. */
function pluginFolder(
  { folder }: ClientNames,
  spec: string,
  base: string,
  { env, home, cwd }: SetupContext,
): string {
  if (spec.startsWith('file:')) return fileOfUrl(spec);
  if (spec.startsWith('.') || isAbsolute(spec)) return resolve(base, spec);
  const cache = env.XDG_CACHE_HOME ? resolve(cwd, env.XDG_CACHE_HOME) : join(home, '.cache');
  const versioned = spec === 'hookline' ? `${spec}@latest` : spec;
  return join(cache, folder, 'packages', versioned, 'node_modules', 'hookline');
}

/** The client loads nothing from what is not such an address either. */
function fileOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}

function projectFolders({ folder }: ClientNames, { cwd }: SetupContext): readonly string[] {
  return FOLDERS.map((name) => join(cwd, `.${folder}`, name));
}

/**
 * With a plugin, each start waits until npm has installed a library for it, unless these say that it is there (1.18.33);
 * where there is no network that takes minutes. Ours needs no library.
 */
function libraryFiles(
  { library, testedVersion }: Pick<ClientNames, 'library'> & { readonly testedVersion: string },
  folder: string,
): Readonly<Record<string, string>> {
  const dependencies = { [library]: testedVersion };
  const json = (value: object) => `${JSON.stringify(value)}\n`;
  return {
    [join(folder, 'package.json')]: json({ dependencies }),
    [join(folder, 'package-lock.json')]: json({ packages: { '': { dependencies } } }),
    [join(folder, 'node_modules', '.hookline')]: '',
  };
}

/** What only this client does. */
function findings(names: ClientNames, context: SetupContext): readonly Finding[] {
  const { label, program, folder } = names;
  const others = projectFolders(names, context).flatMap(pluginsIn);
  const message = `${label} runs ${counted(others.length, 'plugin')} of this project without asking, after Hookline: ${others.join(', ')}.`;
  return [
    ...when(others.length > 0, {
      ...warning('foreign-plugins', message, 'Read them, or move them away.'),
      why: 'They can change the arguments of a call after the decision.',
    }),
    limit('pure', `\`${program} --pure\` loads no plugins: nothing there is guarded.`),
    ...when(
      existsSync(join(context.cwd, `${folder}.json`)),
      limit('project-settings', `${join(context.cwd, `${folder}.json`)} can name more plugins.`),
    ),
  ];
}

function pluginsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.[jt]s$/.test(name) && name !== FILE)
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
