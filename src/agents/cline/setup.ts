import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { counted } from '../../model/text.ts';
import { listAt } from '../kit/loose-json.ts';
import { type ShimHost, shimSetup } from '../kit/shim/setup.ts';
import { detectCommand } from '../setup/detect-command.ts';
import { limit, problem, readFiles, warning, when } from '../setup/findings.ts';
import { SettingsDocument } from '../setup/settings-json.ts';
import type { AgentSetup, Finding, SetupContext } from '../setup/setup.ts';
import { refusals } from './encode.ts';

const FILE = 'hookline.js';

/** Where the client finds plugins of this user and of a project; it asks for neither (3.0.65). */
function userFolder({ env, home, cwd }: SetupContext): string {
  return env.CLINE_DIR ? resolve(cwd, env.CLINE_DIR) : join(home, '.cline');
}

function settingsPath(context: SetupContext): string {
  const { CLINE_DATA_DIR: data } = context.env;
  const folder = data ? resolve(context.cwd, data) : join(userFolder(context), 'data');
  return join(folder, 'settings', 'global-settings.json');
}

function otherFolders({ home, cwd }: SetupContext): readonly string[] {
  return [join(cwd, '.cline', 'plugins'), join(home, 'Documents', 'Cline', 'Plugins')];
}

/** It then goes on without the plugin, and says so in its log only (3.0.65). */
export const LOAD_LIMIT: NonNullable<ShimHost['loadLimit']> = {
  ms: 4_000,
  variable: 'CLINE_PLUGIN_IMPORT_TIMEOUT_MS',
  wanted: 30_000,
};

export const HOST: ShimHost = {
  id: 'cline',
  label: 'Cline',
  refusals,
  // It gives a hook 3 s, and then fails the whole run (3.0.65).
  deadlineMs: 2_400,
  hasCore: true,
  loadLimit: LOAD_LIMIT,
  path: (context) => join(userFolder(context), 'plugins', FILE),
  elsewhere: (context) => otherFolders(context).map((folder) => join(folder, FILE)),
  detect: (context) => detectCommand(context, { name: 'cline', quiet: {}, timeoutMs: 10_000 }),
  findings,
};

export const setup: AgentSetup = shimSetup(HOST);

function findings(context: SetupContext): readonly Finding[] {
  const [project = ''] = otherFolders(context);
  const foreign = existsSync(project) ? readdirSync(project).filter((name) => name !== FILE) : [];
  const settings = settingsPath(context);
  const { files, unreadable } = readFiles([settings], (text, path) =>
    listAt(new SettingsDocument(text, { path }).get([]), 'disabledPlugins'),
  );
  return [
    ...unreadable.values(),
    ...when(
      files.some((disabled) => disabled.includes(HOST.path(context))),
      problem(
        'disabled',
        `${settings} disables our plugin, which Cline then does not load.`,
        'Take it out of "disabledPlugins".',
      ),
    ),
    ...when(
      foreign.length > 0,
      warning(
        'project-plugins',
        `${project} has ${counted(foreign.length, 'plugin')}, which Cline runs after ours without asking: they can change calls after the decision.`,
        'Look at what they do before you work in this project.',
      ),
    ),
    limit('no-hold', 'Cline waits 3 s for a plugin: no call is held for you; its own dialog asks instead.'),
  ];
}
