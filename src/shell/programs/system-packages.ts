import { entryOf } from '../../model/lookup.ts';
import type { Call } from '../call.ts';
import type { CodeTable } from '../tool.ts';
import { handedLines } from '../tools/runners.ts';

/** Synonyms of actions in package managers. */
const ACTIONS: Readonly<Record<string, string>> = {
  i: 'install',
  in: 'install',
  ins: 'install',
  isntall: 'install',
  add: 'install',
  ci: 'install',
  un: 'uninstall',
  rm: 'uninstall',
  remove: 'uninstall',
  r: 'uninstall',
  unlink: 'uninstall',
  erase: 'uninstall',
  purge: 'uninstall',
  autoremove: 'uninstall',
};

export function packageAction(verb: string): string {
  return entryOf(ACTIONS, verb) ?? verb;
}

/** apt, brew, dnf, …: packages of the whole machine. */
function systemPackages(call: Call): undefined {
  const [verb = ''] = call.command.sub;
  const action = packageAction(verb);
  if (verb === 'run' && call.name === 'conda') call.runArgv(call.operands);
  call.packages(call.name, action, call.operands, true);
  if (action === 'install' || action === 'update' || action === 'upgrade') call.network({});
}

function rpm(call: Call): undefined {
  for (const { template } of call.values('--eval')) {
    for (const [, line = ''] of template.matchAll(/%\(([^)]*)\)/g)) call.runText(line);
    for (const line of handedLines(template, true)) call.runText(line);
  }
  if (call.has('--install', '--upgrade', '--freshen', '--erase'))
    call.packages('rpm', call.has('--erase') ? 'uninstall' : 'install', call.operands, true);
}

export const SYSTEM_PACKAGES: CodeTable = { rpm, 'system-packages': systemPackages };
