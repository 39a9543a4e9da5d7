import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPage } from '../src/daemon/web/page.ts';

const MOST_BYTES = 150 * 1024;

test('the whole dashboard is under 150 KB compressed', () => {
  const page = readPage(new URL('../dist/web/', import.meta.url));
  expect([...page.keys()].filter((path) => path.endsWith('.js'))).not.toEqual([]);
  const bytes = [...page.values()].reduce((sum, { body }) => sum + gzipSync(body).length, 0);
  expect(bytes).toBeGreaterThan(5_000);
  expect(bytes).toBeLessThan(MOST_BYTES);
});

test('no part of the dashboard writes markup', () => {
  const folder = new URL('../web/src/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  expect(files.length).toBeGreaterThan(15);
  const markup = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|\beval\(|new Function/i;
  expect(files.filter((name) => markup.test(readFileSync(new URL(name, folder), 'utf8')))).toEqual([]);
});

test.each(['forward.cjs', 'forward.js'])(
  '%s is the forwarder, also for homes that name the other',
  (name) => {
    const file = fileURLToPath(new URL(`../dist/${name}`, import.meta.url));
    const said = execFileSync(process.execPath, [file, '--version'], { encoding: 'utf8' });
    expect(said).toMatch(/^hookline-forward \S+ \(JavaScript\)$/m);
  },
);
