#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';

const [first, second] = process.argv.slice(2);
const isHelp = second === undefined && ['--help', '-h', 'help'].includes(first);
const entry = new URL(isHelp ? '../dist/help.js' : '../dist/cli.js', import.meta.url);
if (first === '--version' || first === '-v') {
  // Nothing of the program is loaded for one line.
  console.log(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version);
} else if (existsSync(entry)) {
  await import(entry.href);
} else {
  console.error('hookline: not built yet. Run `npm run build` in the checkout first.');
  process.exitCode = 1;
}
