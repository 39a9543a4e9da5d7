import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { installClient } from './install.ts';

test.each(['../../elsewhere', '-g', 'npm:another@1.0.0', 'https://evil.example/x.tgz', '', '1.0.0 --global'])(
  'rejects the version %j of a registry or a test before installing anything',
  async (version) => {
    const cache = scratchFolder();
    const pin = { package: 'some-client', version, program: '.bin/some-client' };
    await expect(installClient(pin, cache)).rejects.toThrow('is not a version');
    expect(readdirSync(cache)).toEqual([]);
  },
);
