import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { smallHeap } from '../daemon/small-heap.ts';
import { homePaths } from '../home/paths.ts';
import { useCodeCache } from '../platform/code-cache.ts';

// A separate entry point: the last command may have compiled what it loads.

const { root, compileCache, machineKey } = homePaths();
const goesOn = process.argv[2] === 'daemon';
const flags = goesOn ? smallHeap() : [];
// Showing help creates no home.
if (existsSync(root))
  useCodeCache({
    folder: compileCache,
    key: machineKey,
    program: dirname(fileURLToPath(import.meta.url)),
    flags,
    goesOn,
  });

createRequire(import.meta.url)('./program.cjs');
