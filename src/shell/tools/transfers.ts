import type { Call } from '../call.ts';
import { hostOf } from '../hosts.ts';
import { isUnknown } from '../marks.ts';
import type { ToolTable } from '../tool.ts';
import { localCommands } from '../wrappers/remote.ts';
import { writeInto } from './into.ts';
import { sendsByWords } from './network.ts';

const REMOTE = /^(?:[^/:]+@)?([^/:]+):|^[a-z]+:\/\//i;

/** scp, sftp and rsync: `host:path` is elsewhere, everything else is here. */
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
  for (const word of call.values('-i', '-F', '--password-file')) call.use(word);
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
export const TRANSFERS: ToolTable = {
  rsync: {
    options:
      'a,archive v,verbose q,quiet c,checksum r,recursive R,relative u,update l,links L,copy-links p,perms o,owner g,group ' +
      't,times n,dry-run W,whole-file x,one-file-system e,rsh= z,compress P,partial progress h,human-readable i,itemize-changes ' +
      'f,filter= exclude= include= exclude-from= include-from= files-from= delete delete-before delete-during del ' +
      'delete-after delete-delay delete-excluded delete-missing-args force inplace numeric-ids remove-source-files list-only ' +
      'size-only ignore-existing existing ignore-times I ignore-errors append partial-dir= modify-window= max-delete= ' +
      'copy-dirlinks safe-links H,hard-links A,acls X,xattrs S,sparse D 8 ' +
      'stats info= bwlimit= port= password-file= log-file= backup backup-dir= rsync-path= temp-dir= T= B= link-dest= chmod= chown=',
    run: transfer,
  },
  scp: { options: '3 4 6 A B C O p q R r s T v c= D= F= i= J= l= o= P= S= X=', run: transfer },
  sftp: { options: '4 6 A a C f N p q r v B= b= c= D= F= i= J= l= o= P= R= S= s= X=', run: transfer },
};
