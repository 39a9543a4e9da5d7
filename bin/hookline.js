#!/usr/bin/env node
import { existsSync } from 'node:fs';

const entry = new URL('../dist/cli.js', import.meta.url);
if (existsSync(entry)) {
  await import(entry.href);
} else {
  console.error('hookline: not built yet. Run `npm run build` in the checkout first.');
  process.exitCode = 1;
}
