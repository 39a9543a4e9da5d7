import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

// Builds the dashboard into dist/web.
await build({ configFile: join(fileURLToPath(new URL('..', import.meta.url)), 'web', 'vite.config.ts') });
