import { entryOf } from '../../model/lookup.ts';
import type { Call } from '../call.ts';
import type { CodeTable } from '../tool.ts';
import { joinWords } from '../word.ts';

/** Words with which programs change the machine, as patterns too complex for a knowledge file. */
const CHANGES: Readonly<Record<string, readonly [action: string, words: RegExp]>> = {
  ip: [
    'network',
    /(?:^| )(?:r|ro|route|a|addr|address|l|link|n|neigh|rule|tunnel|netns|maddr|xfrm) (?:add|del|delete|set|flush|change|replace|append|exec)\b/,
  ],
  arp: ['network', /(?:^| )-[a-z]*[sdf]\b/],
  nmcli: [
    'network',
    /(?:^| )(?:c|con|connection|d|dev|device|n|networking|r|radio\b.*) (?:delete|del|modify|mod|down|disconnect|off)\b/,
  ],
  networksetup: ['network', /^-(?:set|create|remove|delete|add|order)/i],
  'ovs-vsctl': ['network', /^(?:add|del)-/],
  fltmc: ['security', /^(?:unload|detach)\b/i],
  sysmon: ['security', /(?:^| )[-/]u\b/i],
  auditpol: ['security', /(?:^| )\/(?:clear|remove|set)\b/i],
  dseditgroup: ['account', /-o (?:edit|create|delete)\b/],
  hostnamectl: ['kernel', /^(?:set-|hostname \S)/],
  efibootmgr: ['kernel', /(?:^| )(?:-[a-zA-Z]*[BcCoOnND]\b|--(?:delete|create|bootorder|bootnext)\b)/],
  nvram: ['kernel', /(?:^| )(?:-c\b|-d\b|\S+=)/],
  zpool: ['format', /^(?:-\S+ )*(?:destroy|labelclear)\b/],
  zfs: ['format', /^(?:-\S+ )*(?:destroy|rollback)\b/],
  btrfs: ['format', /^\S+ delete\b/],
  mdadm: ['format', /--(?:zero-superblock|stop|remove|fail|create)\b|(?:^| )-[SCr]\b/],
  badblocks: ['format', /(?:^| )-[a-z]*[wn]/],
  tune2fs: ['disk', /(?:^| )-[a-zA-Z]*[^l\s-]\b/],
  e2fsck: ['disk', /(?:^| )-[a-z]*[ypf]/],
  smartctl: ['disk', /(?:^| )(?:-s|--smart)[= ]?off\b/],
  lvresize: ['disk', /(?:^| )(?:-L|--size) ?-/],
};

function machineWords(call: Call): undefined {
  const [action, words] = entryOf(CHANGES, call.name) ?? [];
  const line = joinWords(call.command.argv.slice(1));
  if (action !== undefined && words?.test(line)) call.system(action, line || null);
}

/** Words, joined by spaces, with which a programmer of chips or phones erases one or changes it permanently. */
const ERASES: Readonly<Record<string, RegExp>> = {
  fastboot: / -w | (?:erase|format(?::\S+)?) | (?:oem|flashing) (?:unlock|lock)\S* /,
  // Erasing before writing in the same call is the usual way to write.
  avrdude: / -e (?!.*-U)| -U ?(?:[lhe]?fuse\d?|lock):w:/,
  nrfjprog: / (?:--eraseall|-e|--recover) /,
  nrfutil: / (?:erase|recover) /,
  openocd: /\b(?:flash erase_\w+|mass_erase)\b(?!.*\b(?:write_image|program)\b)/,
  STM32_Programmer_CLI: / (?:-e|--erase) (?!.* (?:-w|-d|--download) )| -ob /,
  JLinkExe: / erase /i,
  espefuse: / burn[-_]/,
  'espefuse.py': / burn[-_]/,
  picotool: / (?:erase|otp (?:set|load|permissions|white-label)) /,
};

function erases(call: Call): undefined {
  const words = ` ${call.command.argv.map(({ template }) => template).join(' ')} `;
  if (ERASES[call.name]?.test(words)) call.resource('device', 'erase', true, null);
}

export const MACHINE: CodeTable = { 'machine-words': machineWords, erases };
