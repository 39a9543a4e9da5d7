import { fstatSync, writeSync } from 'node:fs';

const STDOUT = 1;

/**
 * True if output goes to a terminal. Asks the system first, because Node's stream takes longer to load than a short
 * command runs.
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

/** Prints a line, without Node's stream as long as the reader accepts it at once. */
export function printLine(text: string): void {
  let rest = Buffer.from(`${text}\n`);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(STDOUT, rest));
  } catch {
    // The pipe is full or closed. The stream waits for the first; the second is not an error.
    process.stdout.on('error', () => {}).write(rest);
  }
}
