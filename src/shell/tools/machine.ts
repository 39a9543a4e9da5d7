import type { Call } from '../call.ts';
import type { Tool, ToolTable } from '../tool.ts';

/**
 * Programs that look at the machine or change it, by what is among their words: what they change, and the words with
 * which they do. Adding one is adding a line.
 */
const CHANGES: Readonly<Record<string, readonly [action: string, words: RegExp, options?: string]>> = {
  // How it reaches others.
  ip: [
    'network',
    /(?:^| )(?:r|ro|route|a|addr|address|l|link|n|neigh|rule|tunnel|netns|maddr|xfrm) (?:add|del|delete|set|flush|change|replace|append|exec)\b/,
  ],
  route: ['network', /(?:^| )(?:add|del|delete|change|flush)\b/],
  arp: ['network', /(?:^| )-[a-z]*[sdf]\b/],
  tc: ['network', /(?:^| )(?:qdisc|class|filter) (?:add|del|delete|replace|change)\b/],
  nmcli: [
    'network',
    /(?:^| )(?:c|con|connection|d|dev|device|n|networking|r|radio\b.*) (?:delete|del|modify|mod|down|disconnect|off)\b/,
    's,show-secrets a,ask t,terse p,pretty f,fields= g,get-values= m,mode= c,colors= w,wait=',
  ],
  networksetup: ['network', /^-(?:set|create|remove|delete|add|order)/i],
  scutil: ['network', /(?:^| )--(?:set|dns|proxy)\b/],
  resolvectl: ['network', /^(?:dns|domain|revert|dnssec|default-route)\b/],
  netplan: ['network', /^(?:apply|set)\b/],
  brctl: ['network', /^(?:addbr|delbr|addif|delif)\b/],
  'ovs-vsctl': ['network', /^(?:add|del)-/],
  // What keeps others out.
  'firewall-cmd': ['firewall', /--(?:add|remove|set|delete|panic-on|change|reload|complete-reload)\b/],
  ebtables: ['firewall', /(?:^| )-[ADFIPX]\b/],
  arptables: ['firewall', /(?:^| )-[ADFIPX]\b/],
  socketfilterfw: ['firewall', /--set/],
  'fail2ban-client': ['firewall', /^(?:stop|unban|set)\b/],
  'aa-teardown': ['security', /^/],
  'aa-disable': ['security', /^/],
  'aa-complain': ['security', /^/],
  apparmor_parser: ['security', /(?:^| )(?:-R|--remove)\b/],
  semanage: ['security', /(?:^| )(?:permissive|-d|-a|-m|--add|--delete|--modify)\b/],
  setsebool: ['security', /^/],
  semodule: ['security', /(?:^| )(?:-r|-i|-d|--remove|--install|--disable)\b/],
  mokutil: ['security', /--(?:disable-validation|reset|import|delete)\b/],
  fdesetup: ['security', /^(?:disable|remove)\b/],
  tmutil: ['security', /^(?:disable|delete|deletelocalsnapshots|removedestination|thinlocalsnapshots)\b/],
  fltmc: ['security', /^(?:unload|detach)\b/i],
  sysmon: ['security', /(?:^| )[-/]u\b/i],
  auditpol: ['security', /(?:^| )\/(?:clear|remove|set)\b/i],
  journalctl: ['history', /--vacuum-/],
  // Who it belongs to.
  dscl: ['account', /(?:^| )-(?:delete|create|append|passwd|merge|change)\b/],
  sysadminctl: ['account', /-(?:addUser|deleteUser|resetPasswordFor|newPassword)\b/],
  dsenableroot: ['account', /^/],
  dseditgroup: ['account', /-o (?:edit|create|delete)\b/],
  chage: ['account', /(?:^| )-[EIMmWd]\b/],
  vipw: ['account', /^/],
  vigr: ['account', /^/],
  groupmod: ['account', /^/],
  pw: ['account', /(?:^| )(?:user|group)(?:add|del|mod)\b/],
  loginctl: ['account', /^(?:terminate-|kill-|enable-linger)/],
  // How it starts, and what it takes itself for.
  timedatectl: ['kernel', /^set-/],
  hwclock: ['kernel', /--(?:set|hctosys|systohc)\b/],
  hostnamectl: ['kernel', /^(?:set-|hostname \S)/],
  localectl: ['kernel', /^set-/],
  efibootmgr: ['kernel', /(?:^| )(?:-[a-zA-Z]*[BcCoOnND]\b|--(?:delete|create|bootorder|bootnext)\b)/],
  'grub-install': ['kernel', /^/],
  'grub2-install': ['kernel', /^/],
  bootctl: ['kernel', /^(?:install|remove|set-)/],
  nvram: ['kernel', /(?:^| )(?:-c\b|-d\b|\S+=)/],
  flashrom: ['kernel', /(?:^| )(?:-w|-E|--write|--erase)\b/],
  fwupdmgr: ['kernel', /^(?:install|downgrade|update)\b/],
  'update-alternatives': ['kernel', /--(?:set|install|remove|remove-all|set-selections)\b/],
  dkms: ['kernel', /^(?:install|remove|add|unbuild)\b/],
  // What it keeps, past the file system.
  lvremove: ['format', /^/],
  vgremove: ['format', /^/],
  pvremove: ['format', /^/],
  zpool: ['format', /^(?:-\S+ )*(?:destroy|labelclear)\b/],
  zfs: ['format', /^(?:-\S+ )*(?:destroy|rollback)\b/],
  btrfs: ['format', /^\S+ delete\b/],
  cryptsetup: ['format', /^/],
  mdadm: ['format', /--(?:zero-superblock|stop|remove|fail|create)\b|(?:^| )-[SCr]\b/],
  nvme: ['format', /^(?:format|sanitize|delete-ns|detach-ns)\b/],
  badblocks: ['format', /(?:^| )-[a-z]*[wn]/],
  tune2fs: ['disk', /(?:^| )-[a-zA-Z]*[^l\s-]\b/],
  resize2fs: ['disk', /^/],
  e2fsck: ['disk', /(?:^| )-[a-z]*[ypf]/],
  xfs_repair: ['disk', /(?:^| )-L\b/],
  debugfs: ['disk', /(?:^| )-w\b/],
  smartctl: ['disk', /(?:^| )(?:-s|--smart)[= ]?off\b/],
  dmsetup: ['format', /^(?:remove|remove_all|wipe_table|clear)\b/],
  lvreduce: ['disk', /^/],
  vgreduce: ['disk', /^/],
  lvresize: ['disk', /(?:^| )(?:-L|--size) ?-/],
};

function change(action: string, words: RegExp, options = ''): Tool {
  return {
    options,
    run: (call: Call) => {
      const given = call.command.argv.slice(1).map(({ template }) => template);
      const line = given.join(' ');
      if (words.test(line)) call.system(action, line || null);
      return undefined;
    },
  };
}

export const MACHINE: ToolTable = Object.fromEntries(
  Object.entries(CHANGES).map(([program, [action, words, options]]) => [
    program,
    change(action, words, options),
  ]),
);
