import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { openFiles } from './open-files.ts';

/** Like the kernel's view of a process: the open files of each thread, the first one being the process itself. */
function shownAs(pid: number, threads: Readonly<Record<number, readonly string[]>>): string {
  const proc = scratchFolder();
  const show = (folder: string, files: readonly string[]) => {
    mkdirSync(folder, { recursive: true });
    files.forEach((file, at) => {
      symlinkSync(file, join(folder, String(at)));
    });
  };
  show(join(proc, String(pid), 'fd'), threads[pid] ?? []);
  for (const [thread, files] of Object.entries(threads))
    show(join(proc, String(pid), 'task', thread, 'fd'), files);
  return proc;
}

test('shows the open files of a process', () => {
  expect([...openFiles(7, shownAs(7, { 7: ['socket:[1]', '/a'] }))]).toEqual(['socket:[1]', '/a']);
});

test('shows those of its other threads if the first has ended', () => {
  expect([...openFiles(7, shownAs(7, { 7: [], 8: ['socket:[1]'] }))]).toEqual(['socket:[1]']);
});

test('shows nothing for a process that ended', () => {
  expect([...openFiles(7, shownAs(7, { 7: [] }))]).toEqual([]);
  expect([...openFiles(8, shownAs(7, {}))]).toEqual([]);
});
