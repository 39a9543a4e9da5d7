import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { readConfig } from '../../../home/config.ts';
import { homePaths } from '../../../home/paths.ts';
import { readProgramRecord, recordProgram } from '../../../home/program-record.ts';
import { forwarderPath } from '../../../wire/forwarder-settings.ts';
import { program } from './program.ts';

test('another program than the one that was set up is a problem, with what to do', async () => {
  const paths = homePaths(scratchFolder());
  const examined = { paths, config: readConfig(paths.config) };
  expect(await program(examined)).toEqual([]);

  const forwarder = forwarderPath(paths.root);
  mkdirSync(dirname(forwarder));
  writeFileSync(forwarder, 'one');
  expect(await program(examined)).toMatchObject([{ level: 'limit', code: 'program-unrecorded' }]);

  await recordProgram(paths);
  expect(await program(examined)).toMatchObject([{ level: 'ok', code: 'program' }]);

  writeFileSync(forwarder, 'two');
  expect(await program(examined)).toMatchObject([
    {
      level: 'problem',
      code: 'program-changed',
      message: expect.stringContaining(`${forwarder} was changed`),
      fix: expect.stringContaining('hookline setup'),
    },
  ]);
  expect(readProgramRecord(paths)?.files[forwarder]).toBeDefined();
});
