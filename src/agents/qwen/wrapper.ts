import { EXTENSION } from '../kit/extension.ts';
import { type HookWrapper, hookWrapper } from '../kit/wrapper.ts';
import { refusals } from './encode.ts';
import { ours, settings } from './setup.ts';

/** The extension that the client installs by itself: `qwen extensions install <folder>`. */
export const wrapper: HookWrapper = hookWrapper({
  settings,
  noun: 'extension',
  manifest: 'qwen-extension.json',
  // 0.24.4 replaces no other variable in the hooks of an extension.
  root: 'CLAUDE_PLUGIN_ROOT',
  update: `qwen extensions update ${EXTENSION}`,
  uninstall: `qwen extensions uninstall ${EXTENSION}`,
  // A dialog is left to the user.
  guards: (event) => event !== 'PermissionRequest' && Object.hasOwn(refusals, event),
  hooksPath: (context) =>
    ours.isInstalled(context) && !ours.isDisabled(context) ? ours.hooksPath(context) : null,
});
