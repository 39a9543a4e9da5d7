import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

// Builds the dashboard into web/ in the folder given.
await build({
  configFile: join(fileURLToPath(new URL('..', import.meta.url)), 'web', 'vite.config.ts'),
  build: { outDir: join(process.argv[2], 'web') },
});
