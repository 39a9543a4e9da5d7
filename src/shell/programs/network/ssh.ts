import { entryFor } from '../../../knowledge/load.ts';
import { isLoopback } from '../../../platform/loopback.ts';
import { UNKNOWN, type Word } from '../../analysis.ts';
import type { Call } from '../../call.ts';
import { invocation } from '../../invocation.ts';
import { hostOf } from '../../places/hosts.ts';
import type { Entry } from '../../reentry.ts';
import type { CodeTable } from '../../tool.ts';
import { CONSUMED } from '../../walk.ts';
import { runLine } from '../../wrappers/unwrap.ts';

/** Settings with which ssh and similar clients start a local program. */
export function localCommands(call: Call): void {
  for (const { template } of call.values('-o')) {
    const local = /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[\s=]+(.+)$/is.exec(template)?.[1];
    if (local) call.runText(local);
  }
}

function ssh(call: Call): string {
  const [target, ...words] = call.operands;
  if (target === undefined) return UNKNOWN;
  const ordered = optionsFirst(call, target, words);
  if (ordered !== null) return call.runArgv(ordered);
  const host = hostOf(target.text);
  call.network({ host, sends: call.command.stdin.from !== 'terminal' });
  call.consume(call.value('-i'));
  localCommands(call);
  const entry: Entry = isHere(call, host) ? { cwd: call.walk.home } : { place: 'remote', cwd: null };
  if (words.length > 0) runLine(call, words, entry);
  else if (call.command.stdin.from !== 'terminal')
    call.runText(call.command.stdin.template, { ...entry, stdin: CONSUMED });
  return UNKNOWN;
}

/** Another port, or a jump host, counts as another machine. */
function isHere(call: Call, host: string | null): boolean {
  return host !== null && isLoopback(host) && !call.has('-p', '-J', '-o', '-F', '--port');
}

/** `ssh host -L … -N`: options may follow the host. Null if none do. */
function optionsFirst(call: Call, target: Word, words: readonly Word[]): readonly Word[] | null {
  const { argv } = call.command;
  if (!argv[0] || !/^-[^-]/.test(words[0]?.template ?? '')) return null;
  const command = invocation({ options: entryFor('ssh')?.options ?? '', stop: true }, [
    argv[0],
    ...words,
  ]).operands;
  const options = words.slice(0, words.length - command.length);
  if (options.length === 0) return null;
  return [...argv.slice(0, argv.indexOf(target)), ...options, target, ...command];
}

export const SSH: CodeTable = { ssh };
