import { entryOf } from '../../model/lookup.ts';
import type { Code, CodeTable, TextReader } from '../tool.ts';
import { INTERPRETER_TEXTS, INTERPRETERS } from '../tools/interpreters.ts';
import { TYPING } from '../tools/typing.ts';
import { ANSIBLE } from './ansible.ts';
import { ARCHIVES } from './archives.ts';
import { CALCULATORS } from './calculators.ts';
import { CLOUD } from './cloud.ts';
import { COMMANDLETS } from './commandlets.ts';
import { CONTAINERS } from './containers.ts';
import { DATABASES } from './databases.ts';
import { EDITOR_TEXTS, EDITORS } from './editors.ts';
import { FILES } from './files.ts';
import { GIT } from './git/git.ts';
import { MACHINE } from './machine.ts';
import { FILE_SERVERS } from './network/file-servers.ts';
import { NETWORK } from './network/network.ts';
import { SSH } from './network/ssh.ts';
import { TRANSFERS } from './network/transfers.ts';
import { PACKAGES } from './packages.ts';
import { PATH_PRINTERS } from './path-printers.ts';
import { READERS } from './readers.ts';
import { BUILTINS } from './shells/builtins.ts';
import { ENV } from './shells/env.ts';
import { FEEDERS } from './shells/feeders.ts';
import { FINDERS } from './shells/find.ts';
import { LAUNCHER_TEXTS, LAUNCHERS } from './shells/launchers.ts';
import { NAMESPACES } from './shells/namespaces.ts';
import { RUNNER_TEXTS, RUNNERS } from './shells/runners.ts';
import { SHELL_TOOLS } from './shells/shells.ts';
import { WRAPPERS } from './shells/wrappers.ts';
import { SYSTEM } from './system.ts';
import { MULTIPLEXER_TEXTS, MULTIPLEXERS } from './terminals/multiplexers.ts';
import { REMOTE_TYPING } from './terminals/remote-typing.ts';
import { TRANSFORMS } from './transforms.ts';
import { WINDOWS } from './windows.ts';

/** Code for programs that data can't describe, by the name used in their knowledge files. */
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

/** The same for files that a program executes. */
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
