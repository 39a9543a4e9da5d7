import {
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { createAbsenceLooks } from './absence.ts';

const OVER = 3_000;

/** Checks in rounds, and records which paths were really checked. */
function looking(isPrompt = true) {
  let time = 0;
  const looks = createAbsenceLooks({ now: () => time, isPrompt: () => isPrompt });
  const look = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });
  const turn = (...paths: readonly string[]) => {
    const looked: string[] = [];
    const folders = new Map<string, Stats | undefined>();
    const lookOnce = (folder: string) => {
      if (!folders.has(folder)) folders.set(folder, look(folder));
      return folders.get(folder);
    };
    const found = paths.filter(
      (path) =>
        looks.lookFor(path, {
          look: (one) => {
            looked.push(one);
            return look(one);
          },
          lookOnce,
        }) !== undefined,
    );
    return { found, looked, looks: looked.length + folders.size };
  };
  return { turn, pass: (ms: number) => (time += ms) };
}

/** Whether the directory shows that these paths don't exist. */
function known(paths: readonly string[]) {
  const { turn, pass } = looking();
  turn(...paths);
  turn(...paths);
  pass(OVER);
  turn(...paths);
  expect(turn(...paths)).toEqual({ found: [], looked: [], looks: 1 });
  return turn;
}

const HAPPENINGS: readonly (readonly [string, (path: string, folder: string) => void])[] = [
  ['is written', (path) => writeFileSync(path, '')],
  ['is made as a folder', (path) => mkdirSync(path)],
  ['is moved there', (path, folder) => moveInto(path, join(folder, '..', 'elsewhere'))],
  ['is linked', (path) => link(path)],
  ['is written, and the time of the folder set back', (path, folder) => setBack(path, folder)],
  ['comes with another folder', (path, folder) => replaceFolder(path, folder)],
];

function moveInto(path: string, from: string): void {
  writeFileSync(from, '');
  renameSync(from, path);
}

function link(path: string): void {
  const from = join(scratchFolder(), 'file');
  writeFileSync(from, '');
  linkSync(from, path);
}

function setBack(path: string, folder: string): void {
  const { atime, mtime } = statSync(folder);
  writeFileSync(path, '');
  utimesSync(folder, atime, mtime);
}

function replaceFolder(path: string, folder: string): void {
  renameSync(folder, `${folder}.before`);
  mkdirSync(folder);
  writeFileSync(path, '');
}

test.each(HAPPENINGS)('finds what %s at the next check', (_, happen) => {
  const folder = join(scratchFolder(), 'home');
  mkdirSync(folder);
  const [path = '', other = ''] = [join(folder, 'a'), join(folder, 'b')];
  const turn = known([path, other]);
  happen(path, folder);
  expect(turn(path, other).found).toEqual([path]);
  rmSync(path, { recursive: true });
  expect(turn(path, other).found).toEqual([]);
});

test('follows a link to another directory each time', () => {
  const [one, two] = [scratchFolder(), scratchFolder()];
  writeFileSync(join(two, 'a'), '');
  const folder = join(scratchFolder(), 'home');
  symlinkSync(one, folder);
  const turn = known([join(folder, 'a')]);
  rmSync(folder);
  symlinkSync(two, folder);
  expect(turn(join(folder, 'a')).found).toHaveLength(1);
});

test("follows a dangling link each time, because its directory doesn't show when the target appears", () => {
  const folder = scratchFolder();
  const [path, end] = [join(folder, 'a'), join(scratchFolder(), 'end')];
  symlinkSync(end, path);
  const { turn, pass } = looking();
  for (let at = 0; at < 4; at += 1) {
    turn(path);
    pass(OVER);
  }
  writeFileSync(end, '');
  expect(turn(path).found).toEqual([path]);
});

test('if the directory is missing, so is everything in it, until it exists', () => {
  const folder = join(scratchFolder(), 'missing');
  const paths = [join(folder, 'a'), join(folder, 'b')];
  const { turn } = looking();
  turn(...paths);
  expect(turn(...paths)).toEqual({ found: [], looked: [], looks: 1 });
  mkdirSync(folder);
  writeFileSync(join(folder, 'b'), '');
  expect(turn(...paths).found).toEqual([join(folder, 'b')]);
});

test('a recently changed directory proves nothing: two changes may have the same time', () => {
  const folder = scratchFolder();
  const path = join(folder, 'a');
  const { turn, pass } = looking();
  for (let at = 0; at < 3; at += 1) {
    writeFileSync(join(folder, `other-${at}`), '');
    for (let look = 0; look < 3; look += 1) {
      expect(turn(path).looked).toEqual([path]);
      pass(OVER / 4);
    }
  }
});

test('a directory on a file system with late times proves nothing', () => {
  const path = join(scratchFolder(), 'a');
  const { turn, pass } = looking(false);
  for (let at = 0; at < 4; at += 1) {
    expect(turn(path).looked).toEqual([path]);
    pass(OVER);
  }
});
