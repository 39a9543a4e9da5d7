import { entryOf } from '../../model/lookup.ts';
import type { Code, CodeTable, TextReader } from '../tool.ts';
import { INTERPRETER_TEXTS, INTERPRETERS } from '../tools/interpreters.ts';
import { TYPING } from '../tools/typing.ts';
import { ANSIBLE } from './ansible.ts';
import { ARCHIVES } from './archives.ts';
import { BUILTINS } from './builtins.ts';
import { CALCULATORS } from './calculators.ts';
import { CLOUD } from './cloud.ts';
import { COMMANDLETS } from './commandlets.ts';
import { CONTAINERS } from './containers.ts';
import { DATABASES } from './databases.ts';
import { EDITOR_TEXTS, EDITORS } from './editors.ts';
import { ENV } from './env.ts';
import { FEEDERS } from './feeders.ts';
import { FILE_SERVERS } from './file-servers.ts';
import { FILES } from './files.ts';
import { FINDERS } from './find.ts';
import { GIT } from './git.ts';
import { LAUNCHER_TEXTS, LAUNCHERS } from './launchers.ts';
import { MACHINE } from './machine.ts';
import { MULTIPLEXER_TEXTS, MULTIPLEXERS } from './multiplexers.ts';
import { NAMESPACES } from './namespaces.ts';
import { NETWORK } from './network.ts';
import { PACKAGES } from './packages.ts';
import { PATH_PRINTERS } from './path-printers.ts';
import { READERS } from './readers.ts';
import { REMOTE_TYPING } from './remote-typing.ts';
import { RUNNER_TEXTS, RUNNERS } from './runners.ts';
import { SHELL_TOOLS } from './shells.ts';
import { SSH } from './ssh.ts';
import { SYSTEM } from './system.ts';
import { TRANSFERS } from './transfers.ts';
import { TRANSFORMS } from './transforms.ts';
import { WINDOWS } from './windows.ts';
import { WRAPPERS } from './wrappers.ts';

/** Programs that data alone cannot describe, by the name that their files give for the code. */
export const CODE: CodeTable = {
  ...ANSIBLE,
  ...ARCHIVES,
  ...BUILTINS,
  ...CALCULATORS,
  ...CLOUD,
  ...COMMANDLETS,
  ...CONTAINERS,
  ...DATABASES,
  ...EDITORS,
  ...ENV,
  ...FEEDERS,
  ...FILES,
  ...FILE_SERVERS,
  ...FINDERS,
  ...GIT,
  ...INTERPRETERS,
  ...LAUNCHERS,
  ...MACHINE,
  ...MULTIPLEXERS,
  ...NAMESPACES,
  ...NETWORK,
  ...PACKAGES,
  ...PATH_PRINTERS,
  ...READERS,
  ...REMOTE_TYPING,
  ...RUNNERS,
  ...SHELL_TOOLS,
  ...SSH,
  ...SYSTEM,
  ...TRANSFERS,
  ...TRANSFORMS,
  ...TYPING,
  ...WINDOWS,
  ...WRAPPERS,
};

export function codeOf(name: string): Code {
  const code = entryOf(CODE, name);
  if (code === undefined) throw new Error(`There is no code with the name ${name}.`);
  return code;
}

/** The same for texts that a program executes. */
export const TEXTS: Readonly<Record<string, TextReader>> = {
  ...EDITOR_TEXTS,
  ...INTERPRETER_TEXTS,
  ...LAUNCHER_TEXTS,
  ...MULTIPLEXER_TEXTS,
  ...RUNNER_TEXTS,
};

export function readerOf(name: string): TextReader {
  const reader = entryOf(TEXTS, name);
  if (reader === undefined) throw new Error(`There is no reader of texts with the name ${name}.`);
  return reader;
}
