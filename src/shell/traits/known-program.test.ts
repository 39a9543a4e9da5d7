import { describe, expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import { isElevated, isKnownProgram } from './known-program.ts';

const last = (line: string) => {
  const command = analyse(line, { cwd: '/home/dev/project', home: '/home/dev' }).commands.at(-1);
  if (!command) throw new Error(`${line} runs nothing`);
  return command;
};

describe('all that a program does is in its effects', () => {
  test.each([
    'cp a b',
    '/usr/bin/cp a b',
    'chmod 755 x',
    'grep -r x .',
    'git status',
    'systemctl restart nginx',
    'service nginx reload',
    'apt-get install -y libpq-dev',
    'pacman -S --noconfirm libpqxx',
    'pacman -Syu',
    'pacman -Qi x',
    'flatpak install -y org.x.Y',
    'docker compose up -d',
    'make --help',
    'env A=1 ls',
  ])('%s', (line) => {
    expect(isKnownProgram(last(line))).toBe(true);
  });

  test.each([
    'make install',
    './setup.sh',
    './install.sh x',
    './cp a b',
    'install.sh a b',
    '/tmp/ls',
    'python3 x.py',
    'git commit -m x',
    'systemctl disable nginx',
    'apt-get remove x',
    'apt-get install ./x.deb',
    'pacman -R x',
    'pacman -U x.pkg.tar.zst',
    'pacman -S --config x y',
    'pacman -S --hookdir=x y',
    'flatpak install ./x.flatpakref',
    'apt-get update -o APT::Update::Pre-Invoke::=x',
    'bash x.sh',
    'bash',
    'made-up-program',
    '$X',
  ])('not for %s', (line) => {
    expect(isKnownProgram(last(line))).toBe(false);
  });
});

test('the permissions of another user apply through any wrapper', () => {
  for (const line of ['sudo ls', 'sudo env A=1 ls', "su -c 'ls'", 'doas xargs ls', "sudo sh -c 'ls'"])
    expect(isElevated(last(line)), line).toBe(true);
  for (const line of ['ls', 'env A=1 ls', 'sudo -l; ls']) expect(isElevated(last(line)), line).toBe(false);
});
