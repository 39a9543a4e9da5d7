#!/usr/bin/env node
// CommonJS, as the package.json beside it says: to load one module takes Node longer than to print the help.
// Without a listener Node opens a debugger on this signal, and loading the program takes a while.
process.on('SIGUSR1', () => {});

const { existsSync, writeSync } = require('node:fs');
const { join } = require('node:path');

const [first, second] = process.argv.slice(2);
const isHelp = second === undefined && ['--help', '-h', 'help'].includes(first);
const entry = join(__dirname, '../dist', isHelp ? 'help.cjs' : 'cli.cjs');
if (first === '--version' || first === '-v') {
  // Nothing of the program is loaded for one line, nor Node's stream, which takes longer than all the rest.
  const line = `${require('../package.json').version}\n`;
  try {
    writeSync(1, line);
  } catch {
    process.stdout.on('error', () => {}).write(line);
  }
} else if (!existsSync(entry)) {
  console.error('hookline: not built yet. Run `npm run build` in the checkout first.');
  process.exitCode = 1;
} else {
  require(entry);
}
