import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { readBuilt } from './files/built.ts';
import { isPacks } from './pack-data.ts';

const read = (text: string | null) => {
  const file = join(scratchFolder(), 'packs.json');
  if (text !== null) writeFileSync(file, text);
  return readBuilt(pathToFileURL(file), isPacks);
};

test('reads the build output', () => {
  expect(read('{"packs":{},"commands":{}}')).toEqual({ packs: {}, commands: {} });
});

// The rules then come from the sources: a damaged file must not leave a call without rules.
test.each([
  ['is missing', null],
  ['is empty', ''],
  ['is cut off', '{"packs":{"git":'],
  ['is something else', '[]'],
  ['lacks a part', '{"packs":{}}'],
])('a file that %s counts as not built', (_, text) => {
  expect(read(text)).toBeNull();
});
