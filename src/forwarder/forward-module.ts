import { createRequire } from 'node:module';

// The file name in homes that were set up before the forwarder was CommonJS.
createRequire(import.meta.url)('./forward.cjs');
