import { EXTENSION } from '../setup/extension.ts';
import { type HookWrapper, hookWrapper } from '../setup/wrapper.ts';
import { refusals } from './encode.ts';
import { ours, settings } from './setup.ts';

/** The extension that the client installs by itself: `gemini extensions install <folder>`. */
export const wrapper: HookWrapper = hookWrapper({
  settings,
  noun: 'extension',
  manifest: 'gemini-extension.json',
  root: 'extensionPath',
  update: `gemini extensions update ${EXTENSION}`,
  uninstall: `gemini extensions uninstall ${EXTENSION}`,
  guards: (event) => Object.hasOwn(refusals, event),
  hooksPath: (context) =>
    ours.isInstalled(context) && !ours.isDisabled(context) ? ours.hooksPath(context) : null,
});
