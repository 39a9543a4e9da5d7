import { describe, expect, test } from 'vitest';
import { analyse } from '../analyse.ts';

const actions = (line: string): readonly string[] =>
  analyse(line, {}).effects.flatMap((effect) => (effect.kind === 'system' ? [effect.action] : []));

describe('programs that inspect or change the machine', () => {
  test.each([
    ['ip route add default via 10.0.0.1', 'network'],
    ['ip -4 addr flush dev eth0', 'network'],
    ['nmcli connection delete wan', 'network'],
    ['networksetup -setdnsservers Wi-Fi 10.0.0.1', 'network'],
    ['firewall-cmd --add-port=22/tcp', 'firewall'],
    ['xattr -dr com.apple.quarantine x.app', 'security'],
    ['tmutil disable', 'security'],
    ['journalctl --vacuum-time=1s', 'history'],
    ['dscl . -append /Groups/admin GroupMembership eve', 'account'],
    ['timedatectl set-time 2000-01-01', 'kernel'],
    ['efibootmgr -b 0 -B', 'kernel'],
    ['mdadm --zero-superblock /dev/sdb', 'format'],
    ['resize2fs /dev/sda1 1G', 'disk'],
  ])('%s changes its %s', (line, action) => {
    expect(actions(line)).toEqual([action]);
  });

  test.each([
    'ip addr show dev eth0',
    'ip route get 10.0.0.1',
    'nmcli device status',
    'networksetup -getinfo Wi-Fi',
    'firewall-cmd --list-all',
    'xattr -l x.app',
    'tmutil status',
    'journalctl -u x -n 50',
    'dscl . -read /Users/dev',
    'timedatectl status',
    'efibootmgr -v',
    'mdadm --detail /dev/md0',
    'tune2fs -l /dev/sda1',
  ])('%s only reads', (line) => {
    expect(actions(line)).toEqual([]);
  });
});

test.each([
  ['chsh -s /bin/sh nobody', true],
  ['chsh -s /bin/zsh', false],
])('%s affects another account: %s', (line, other) => {
  expect(actions(line).includes('account')).toBe(other);
});
