import { writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { homePaths } from '../../home/paths.ts';
import { readProgramRecord } from '../../home/program-record.ts';
import { tellProgramRecord } from './program-record.ts';

test('the first set-up records the program, and a later one only for a person', async () => {
  const said = vi.spyOn(console, 'log').mockImplementation(() => {});
  const paths = homePaths(scratchFolder());
  const isAllowed = vi.fn(async () => false);
  await tellProgramRecord(paths, isAllowed);
  const first = readProgramRecord(paths);
  expect(first?.files[process.execPath]).toBeDefined();
  await tellProgramRecord(paths, isAllowed);
  expect(isAllowed).not.toHaveBeenCalled();

  // As if Node had been a different one at that time.
  const other = { ...first?.files, [process.execPath]: { sha256: 'other', stamp: 'other' } };
  writeFileSync(paths.program, JSON.stringify({ ...first, files: other }));
  await tellProgramRecord(paths, isAllowed);
  expect(readProgramRecord(paths)?.files[process.execPath]?.sha256).toBe('other');
  expect(said).toHaveBeenLastCalledWith(expect.stringContaining('Only a person'));

  isAllowed.mockResolvedValue(true);
  await tellProgramRecord(paths, isAllowed);
  expect(readProgramRecord(paths)?.files).toEqual(first?.files);
  said.mockRestore();
});
