import type { Call } from '../../call.ts';
import { isUnknown } from '../../placeholders.ts';
import { hostOf } from '../../places/hosts.ts';
import type { CodeTable } from '../../tool.ts';
import { writeInto } from '../../tools/into.ts';
import { sendsByWords } from './network.ts';
import { localCommands } from './ssh.ts';

const REMOTE = /^(?:[^/:]+@)?([^/:]+):|^[a-z]+:\/\//i;

/** scp, sftp and rsync: `host:path` is remote, everything else is local. */
function transfer(call: Call): undefined {
  const { operands } = call;
  const target = operands.at(-1);
  for (const word of operands) {
    const remote = REMOTE.test(word.template);
    const isLast =
      word === target || (target !== undefined && isUnknown(target.template) && word === operands.at(-2));
    if (remote) call.network({ host: hostOf(word.text), url: word.text, sends: isLast });
    else if (word !== target || operands.length < 2) call.read(word);
  }
  const last = target && isUnknown(target.template) ? operands.slice(-2) : operands.slice(-1);
  for (const word of last) {
    const sources = operands.slice(0, operands.indexOf(word));
    if (sources.length > 0 && !REMOTE.test(word.template))
      writeInto(call, sources, word, call.has('--recursive', '-r', '--archive'));
  }
  const shell = call.value('--rsh');
  if (shell) call.runText(shell.template);
  const other = call.value('--rsync-path');
  if (other && /[;&|`$\n]/.test(other.template)) call.runText(other.template, { place: 'remote', cwd: null });
  const program = call.name === 'rsync' ? null : call.value('-S');
  if (program) call.runArgv([program]);
  localCommands(call);
  if (call.name === 'sftp') sendsByWords(call, []);
  for (const word of call.values('-i', '-F', '--password-file')) call.consume(word);
  if (call.name !== 'rsync' || call.command.inert) return;
  const deletes = call.command.options.some((option) => /^--del(?:ete.*)?$/.test(option.name));
  if (deletes && target && !REMOTE.test(target.template)) call.remove(target, true, true);
  if (deletes && target && REMOTE.test(target.template))
    call.resource('remote-files', 'sync --delete', true, target.text);
  if (call.has('--remove-source-files')) {
    for (const word of operands.slice(0, -1)) if (!REMOTE.test(word.template)) call.remove(word, true, false);
  }
}

/** Programs that copy files between machines. */
export const TRANSFERS: CodeTable = { transfer };
