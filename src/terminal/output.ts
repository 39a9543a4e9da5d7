import { fstatSync, writeSync } from 'node:fs';

const STDOUT = 1;

/**
 * Whether what is printed goes to a terminal. The system is asked first whether it could: Node's own stream takes longer
 * to load than a short command takes.
 */
export function isTerminal(): boolean {
  return mayBeTerminal() && process.stdout.isTTY === true;
}

function mayBeTerminal(): boolean {
  try {
    return process.platform === 'win32' || fstatSync(STDOUT).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Prints a line, without Node's stream as long as the other end takes it at once. */
export function printLine(text: string): void {
  let rest = Buffer.from(`${text}\n`);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(STDOUT, rest));
  } catch {
    // It is full or gone. The stream waits for the first; the second is not an error.
    process.stdout.on('error', () => {}).write(rest);
  }
}
