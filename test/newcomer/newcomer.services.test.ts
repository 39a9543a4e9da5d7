import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, vi } from 'vitest';
import { closeBrowser, testInBrowser } from '../browser/chromium.ts';
import { hasTmux } from '../programs.ts';
import { scratchFolder } from '../support/scratch.ts';
import { firstFiveMinutes } from './newcomer.ts';

vi.setConfig({ testTimeout: 180_000 });
afterAll(closeBrowser);

describe.skipIf(!hasTmux)('a newcomer', () => {
  testInBrowser(
    'gets from a new machine to a denied call, its reason, and a page that shows it',
    async () => {
      const home = scratchFolder();
      const project = join(home, 'shop');
      const programs = join(home, 'programs');
      for (const folder of [project, programs]) mkdirSync(folder);
      const program = join(programs, 'claude');
      copyFileSync(fileURLToPath(new URL('./pretend-agent.js', import.meta.url)), program);
      chmodSync(program, 0o755);
      const agent = { id: 'claude', label: 'Claude Code', program, args: ['Publish it.'] };
      await firstFiveMinutes({ home, project, hooklineHome: join(home, '.hookline'), env: {}, agent });
    },
  );
});
