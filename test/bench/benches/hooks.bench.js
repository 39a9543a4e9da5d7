// Memory that a misbehaving hook leaves behind in the daemon: a script that prints 100 MB, and code that allocates
// without bound.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { valueAtMost } from '../figures.js';
import { askOnce, bashCall, openScratchHome, residentMegabytes } from '../processes/scratch-home.js';

/** Each says that it ran by a file in its home. */
const LOUD = '#!/bin/sh\ntouch "$(dirname "$0")/ran"\nhead -c 100000000 /dev/zero | tr "\\0" x\n';
const HOARDS = `import { writeFileSync } from 'node:fs';
import { defineHook } from 'hookline';
export default defineHook({
  on: 'before_tool',
  tool: 'Bash',
  run() {
    writeFileSync(new URL('../ran', import.meta.url), '');
    const all = [];
    for (;;) all.push(Buffer.alloc(1 << 20, 1));
  },
});
`;

export async function run() {
  return [
    await growth('a script that prints 100 MB', 60, (home) => {
      const script = join(home, 'loud.sh');
      writeFileSync(script, LOUD, { mode: 0o755 });
      writeFileSync(
        join(home, 'hooks.yaml'),
        `hooks:\n  - {name: loud, type: command, dialect: claude, event: PreToolUse, command: ${script}}\n`,
      );
    }),
    await growth('code that allocates without bound', 200, (home) => {
      mkdirSync(join(home, 'hooks'));
      writeFileSync(join(home, 'hooks', 'hoards.ts'), HOARDS);
    }),
  ];
}

/** @param {(home: string) => void} writeHook */
async function growth(name, mostMegabytes, writeHook) {
  const { home, daemon, close } = openScratchHome('', false);
  try {
    await askOnce(daemon.socket, 'warm', bashCall(0));
    const before = residentMegabytes(daemon.pid);
    writeHook(home);
    await askOnce(daemon.socket, name, bashCall(1));
    if (!existsSync(join(home, 'ran'))) throw new Error(`The hook did not run: ${name}.`);
    // The thread that held the memory may still be ending.
    await sleep(2_000);
    return {
      ...{ name: `memory after ${name}, more than before`, unit: 'MB' },
      value: residentMegabytes(daemon.pid) - before,
      target: valueAtMost(mostMegabytes),
    };
  } finally {
    close();
  }
}
