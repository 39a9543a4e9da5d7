import { refuseDebugger } from '../platform/debugger.ts';
import { guardConsole } from '../terminal/console.ts';
import { dispatch, reportError } from './dispatch.ts';

// Code in `watch` decides for the person at that terminal, and code in the daemon for everyone.
refuseDebugger();

// Recorded, read or typed text is untrusted and must not control the terminal.
guardConsole();

// If the reader of stdout exits, as in `hookline events | head`, the program exits silently.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
});

// Unhandled errors are reported in the same way.
process.on('uncaughtException', (error) => {
  process.exit(reportError(error));
});

void dispatch(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
