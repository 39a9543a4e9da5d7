import { refuseDebugger } from '../platform/debugger.ts';
import { guardConsole } from '../terminal/console.ts';
import { dispatch, reportError } from './dispatch.ts';

// What runs in `watch` decides for the person at that terminal, and what runs in the daemon for all.
refuseDebugger();

// Everything that was recorded, read or typed is foreign: none of it may act on the terminal.
guardConsole();

// A reader that goes away, as in `hookline events | head`, ends the program without a word.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
});

// What is thrown where nobody waits for it is reported in the same words, and goes through the same door.
process.on('uncaughtException', (error) => {
  process.exit(reportError(error));
});

void dispatch(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
