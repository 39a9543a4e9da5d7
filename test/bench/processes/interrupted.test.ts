import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

const INTERRUPTED = new URL('./interrupted.js', import.meta.url).href;
const OPEN = `import { closesOnce } from ${JSON.stringify(INTERRUPTED)};
  const closes = ['first', 'second', 'third'].map((name) => closesOnce(() => console.log(name)));
  closes[1]();
  closes[1]();`;
const READY = "setInterval(() => {}, 60_000); console.log('ready');";

/** Runs code until it is ready, and then sends it a signal. */
async function interrupt(code: string, signal: NodeJS.Signals) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', OPEN + code + READY], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    if (line === 'ready') child.kill(signal);
    else lines.push(line);
  }
  return { exit: await exit, lines };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s closes open resources once and ends the process with %d', async (signal, code) => {
  expect(await interrupt('', signal)).toEqual({ exit: [code, null], lines: ['second', 'first', 'third'] });
});

test('without open resources, a signal ends the process as usual', async () => {
  const { exit } = await interrupt('closes[0](); closes[2]();', 'SIGTERM');
  expect(exit).toEqual([null, 'SIGTERM']);
});
