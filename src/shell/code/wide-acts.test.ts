import { expect, test } from 'vitest';
import { analyse } from '../analyse.ts';

const effects = (line: string) => analyse(line, { cwd: '/home/dev', home: '/home/dev', env: {} }).effects;
const isPaid = (line: string) => effects(line).some((one) => one.kind === 'resource' && one.how === 'money');
const stopsAll = (line: string) =>
  effects(line).some((one) => one.kind === 'system' && one.action === 'shutdown');

test('a program that pays counts, unless it uses test money', () => {
  expect(isPaid(`python3 -c "import stripe; stripe.Payout.create(amount=5)"`)).toBe(true);
  expect(isPaid(`node -e "require('stripe')(key).transfers.create({ amount: 5 })"`)).toBe(true);
  expect(isPaid(`node -e "const e = require('ethers'); w.sendTransaction({ to: x })"`)).toBe(true);
  expect(
    isPaid(`python3 -c "import stripe; stripe.api_key='sk_test_1'; stripe.Payout.create(amount=5)"`),
  ).toBe(false);
  expect(isPaid(`python3 -c "import stripe; stripe.Payout.list()"`)).toBe(false);
  expect(isPaid(`python3 -c "orders.transfers.create(1)"`)).toBe(false);
});

test("distinguishes stopping every process from stopping the program's own", () => {
  expect(stopsAll('python3 -c "import psutil; [p.kill() for p in psutil.process_iter()]"')).toBe(true);
  expect(stopsAll('python3 -c "import os; os.kill(-1, 9)"')).toBe(true);
  expect(stopsAll(`node -e "fs.readdirSync('/proc').forEach((p) => process.kill(+p))"`)).toBe(true);
  expect(
    stopsAll('python3 -c "import psutil; [p.kill() for p in psutil.process_iter() if p.name() == x]"'),
  ).toBe(false);
  expect(stopsAll('python3 -c "import os; os.kill(1234, 15)"')).toBe(false);
  expect(stopsAll('python3 -c "import psutil; print(list(psutil.process_iter()))"')).toBe(false);
});

test('a Perl search that deletes its results reaches as far as its directory', () => {
  const removed = (line: string) => effects(line).some((one) => one.kind === 'delete' && one.recursive);
  expect(removed(`perl -MFile::Find -e 'find(sub { unlink $_ if -f }, "/srv/uploads")'`)).toBe(true);
  expect(removed(`perl -MFile::Find -e 'find(sub { unlink $_ if /\\.tmp$/ }, "/srv/uploads")'`)).toBe(false);
  expect(removed(`perl -MFile::Find -e 'find(sub { print }, "/srv/uploads")'`)).toBe(false);
});

test('a line for another machine counts for that machine', () => {
  const runs = (line: string) =>
    analyse(line, { cwd: '/home/dev', home: '/home/dev', env: {} }).commands.map(({ tool }) => tool);
  expect(runs(`python3 -c "import paramiko; c.exec_command('rm -rf /srv')"`)).toContain('ssh');
  expect(runs(`php -r 'ssh2_exec($c, "rm -rf /srv");'`)).toContain('ssh');
});
