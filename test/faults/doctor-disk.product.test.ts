import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canMount } from '../programs.ts';
import { BIN, type Product, runProgram, scratchProduct } from './product.ts';

/** What `doctor` says on a machine that differs from a healthy one by these commands. */
async function examinedAfter({ env, folder, paths }: Product, commands: string) {
  const script = `set -e\n${commands}\nexec "${process.execPath}" "${BIN}" doctor --json`;
  const at = { ...env, COPY: join(folder, 'copy'), PLACE: paths.root };
  const { code, stdout, stderr } = await runProgram('unshare', ['-rm', 'sh', '-c', script], '', at, folder);
  if (stdout === '') throw new Error(stderr);
  const { reports } = JSON.parse(stdout);
  return { code, found: reports[0].findings.find((one: { level: string }) => one.level === 'problem') };
}

async function setUp(): Promise<Product> {
  const product = scratchProduct();
  mkdirSync(join(product.folder, '.claude'));
  expect(await product.run(['setup', 'claude', '--yes'])).toMatchObject({ code: 0 });
  return product;
}

const FULL = `cp -a "$PLACE" "$COPY"
mount -t tmpfs -o size=$(($(du -sk "$COPY" | cut -f1) + 128))k,mode=700 tmpfs "$PLACE"
cp -a "$COPY/." "$PLACE/"
dd if=/dev/zero of="$PLACE/filled" bs=4k 2> /dev/null || true`;

const READ_ONLY = `mount --bind "$PLACE" "$PLACE"
mount -o remount,ro,bind "$PLACE"`;

test.skipIf(!canMount).each([
  ['the disk is full', FULL, 'hookline history prune'],
  ['the disk is read-only', READ_ONLY, 'findmnt --target'],
])('%s: reports it with the command that helps, and exits with 1', async (what, commands, helps) => {
  const { code, found } = await examinedAfter(await setUp(), commands);
  expect(found).toMatchObject({
    code: 'disk',
    message: expect.stringContaining(what),
    fix: expect.stringContaining(helps),
  });
  expect(code).toBe(1);
});
