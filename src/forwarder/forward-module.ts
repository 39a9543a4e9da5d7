import { createRequire } from 'node:module';

// What homes call that were set up before the forwarder was CommonJS.
createRequire(import.meta.url)('./forward.cjs');
