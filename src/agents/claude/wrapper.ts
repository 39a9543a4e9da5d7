import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HooklineError } from '../../model/errors.ts';
import { WRAPPER, WRAPPER_SCRIPT } from '../setup/forwarder-command.ts';
import type { SetupContext } from '../setup/setup.ts';
import { DESCRIPTION, type HookWrapper, hookWrapper, json } from '../setup/wrapper.ts';
import { installedPlugins } from './plugins.ts';
import { EVENTS, settings } from './setup.ts';

/** The plugin that the client installs by itself, with this repository as its marketplace. */
export const wrapper: HookWrapper = hookWrapper({
  settings,
  noun: 'plugin',
  manifest: '.claude-plugin/plugin.json',
  root: 'CLAUDE_PLUGIN_ROOT',
  update: `claude plugin update ${WRAPPER}@${WRAPPER}`,
  uninstall: `claude plugin uninstall ${WRAPPER}@${WRAPPER}`,
  guards: (event) => Object.entries(EVENTS).some(([name, { guard }]) => name === event && guard),
  hooksPath: pluginHooks,
  also: () => [{ path: '.claude-plugin/marketplace.json', text: json(MARKETPLACE) }],
});

const MARKETPLACE = {
  name: WRAPPER,
  owner: { name: 'Hookline' },
  metadata: { description: DESCRIPTION },
  plugins: [{ name: WRAPPER, source: './plugins/claude', description: DESCRIPTION }],
};

/** Only one that the settings switch on: where that is unknown, setup had better write its entries. */
function pluginHooks(context: SetupContext): string | null {
  try {
    const ours = installedPlugins(context).filter(({ root }) => existsSync(join(root, WRAPPER_SCRIPT)));
    const enabled = ours.find((plugin) => plugin.enabled);
    return enabled ? join(enabled.root, 'hooks', 'hooks.json') : null;
  } catch (error) {
    // Settings that cannot be read: `inspect` and `plan` say so themselves.
    if (error instanceof HooklineError) return null;
    throw error;
  }
}
