import { describe, expect, test } from 'vitest';
import { systemCallsPerCall } from './system-call-log.js';

const marks = { begin: '/bench begins', end: '/bench ends' };
const begins =
  '7 statx(AT_FDCWD, "/bench begins", AT_STATX_SYNC_AS_STAT, STATX_ALL, 0x7ffd) = -1 ENOENT (No such file or directory)';
const ends = begins.replace('begins', 'ends');
const call = [
  '7 epoll_pwait(13, [{events=EPOLLIN, data={u32=20, u64=20}}], 1024, -1, NULL, 8) = 1',
  '7 accept4(20, NULL, NULL, SOCK_CLOEXEC|SOCK_NONBLOCK) = 25',
  '7 read(25, ""..., 65536) = 300',
  '7 write(25, ""..., 40) = 40',
];
const perCall = (lines: readonly string[], calls: number) =>
  systemCallsPerCall(lines.join('\n'), marks, calls);

test('counts system calls between the marks for each call, without waits', () => {
  const start = ['7 execve("/usr/bin/node", [""...], 0x7ffd) = 0', ...call];
  expect(perCall([...start, begins, ...call, ...call, ends, ...call], 2)).toBe(3);
});

test('counts an interrupted system call once', () => {
  const interrupted = [
    '7 accept4(20, NULL, NULL, SOCK_CLOEXEC|SOCK_NONBLOCK <unfinished ...>',
    '9 fdatasync(22) = 0',
    '7 <... accept4 resumed>) = 25',
    '7 --- SIGCHLD {si_signo=SIGCHLD} ---',
  ];
  expect(perCall([begins, ...interrupted, ends], 1)).toBe(2);
});

test("accept without a waiting client doesn't count as a connection", () => {
  const nothing = [
    '7 accept4(20, NULL, NULL, SOCK_CLOEXEC) = -1 EAGAIN (Resource temporarily unavailable)',
    '7 accept4(20, NULL, NULL, SOCK_CLOEXEC <unfinished ...>',
    '7 <... accept4 resumed>) = -1 EAGAIN (Resource temporarily unavailable)',
  ];
  expect(perCall([begins, ...call, ...nothing, ends], 1)).toBe(5);
});

test('ignores calls that depend on thread scheduling', () => {
  const chance = ['futex', 'epoll_wait', 'epoll_pwait', 'mmap', 'munmap', 'mprotect', 'madvise'];
  const lines = chance.map((name) => `9 ${name}(0x5581, 4096) = 0`);
  expect(perCall([begins, ...call, ...lines, ends], 1)).toBe(3);
});

describe('rejects a log that would give too small a number', () => {
  test.each([
    ['is empty', [], 'did not see'],
    ['begins late', [...call, ends], 'did not see'],
    ['ends early', [begins, ...call], 'did not see'],
    ['lacks a call', [begins, ...call, ends], 'saw 1 connections for 2 calls'],
    [
      'has a call that was not ours',
      [begins, ...call, ...call, ...call, ends],
      'saw 3 connections for 2 calls',
    ],
  ])('when it %s', (_, lines, message) => {
    expect(() => perCall(lines, 2)).toThrow(message);
  });
});
